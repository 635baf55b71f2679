import { listPolicies, writePolicy } from '../client/access.ts';
import type { HttpClient } from '../client/http-client.ts';
import { ConflictError, RejectedError } from '../client/http-errors.ts';
import type { Policy } from '../model/access/policy.ts';
import { readPolicyTexts, type WrittenPolicy } from '../model/access/policy-file.ts';
import { sameJson } from '../model/same-json.ts';
import type { ShownPolicy } from '../model/wire/access.ts';
import type { ErrorViolation } from '../model/wire/error-body.ts';
import { FileError } from '../process/file-error.ts';
import { readInputFiles } from './input-files.ts';

/** What became of one policy, or would become of it. */
export interface PolicyOutcome {
  readonly id: string;
  readonly outcome: 'made' | 'changed' | 'unchanged' | 'refused';
  readonly error?: string;
  readonly violations?: readonly ErrorViolation[];
}

export interface ApplyOptions {
  /** Nothing is written. */
  readonly dryRun: boolean;
}

/**
 * Makes and changes the policies of files, one by one; others stay.
 * @throws FileError with every violated rule, before anything is sent; AnyHttpError when the server can take none.
 */
export async function* applyPolicies(
  client: HttpClient,
  files: readonly string[],
  { dryRun }: ApplyOptions,
): AsyncGenerator<PolicyOutcome> {
  const written = checked(readPolicyTexts(await readInputFiles(files)));
  const present = new Map((await listPolicies(client)).map((policy) => [policy.id, policy]));
  const steps = written.map(({ policy, place }) => ({
    policy,
    place,
    outcome: compare(policy, present.get(policy.id)),
  }));
  const fixed = steps.filter(({ policy, outcome }) => {
    return outcome === 'changed' && present.get(policy.id)?.editable === false;
  });
  if (fixed.length > 0)
    throw new FileError(fixed.map(({ policy, place }) => `${place}: ${whyFixed(policy)}`).join('\n'));
  for (const { policy, outcome } of steps) {
    yield dryRun || outcome === 'unchanged' ? { id: policy.id, outcome } : await attempt(client, policy, outcome);
  }
}

function checked({ policies, mistakes }: ReturnType<typeof readPolicyTexts>): readonly WrittenPolicy[] {
  if (mistakes.length > 0) throw new FileError(mistakes.join('\n'));
  if (policies.length === 0) throw new FileError('There is no policy in what was given');
  return policies;
}

function compare(policy: Policy, present: ShownPolicy | undefined): 'made' | 'changed' | 'unchanged' {
  if (present === undefined) return 'made';
  const { origin: _origin, editable: _editable, ...rest } = present;
  return sameJson(policy, rest) ? 'unchanged' : 'changed';
}

function whyFixed({ id }: Policy): string {
  return `the policy ${id} cannot be changed here: every installation has it, or the server was started with it`;
}

/** What is wrong with one policy does not keep the others from being sent; a server that takes none does. */
async function attempt(client: HttpClient, policy: Policy, outcome: PolicyOutcome['outcome']): Promise<PolicyOutcome> {
  const { id } = policy;
  try {
    await writePolicy(client, policy);
    return { id, outcome };
  } catch (error) {
    if (error instanceof RejectedError) {
      return { id, outcome: 'refused', error: error.message, violations: error.violations };
    }
    if (error instanceof ConflictError) return { id, outcome: 'refused', error: error.message };
    throw error;
  }
}
