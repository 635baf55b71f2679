import { compatibility, isGreaterVersion } from '../../../model/compatibility.ts';
import { type Definition, parseDefinition } from '../../../model/definition.ts';
import { parseUrn } from '../../../model/urn.ts';
import { describeViolations, violation } from '../../../model/violation.ts';
import { namespaceWordOf } from '../definition-differences.ts';

/**
 * Why the server would refuse to change a definition, as far as what stands there tells: it also knows versions that the
 * definition had before. @returns `undefined` when nothing speaks against it.
 */
export function foreseenRefusal(urn: string, wished: Definition, standing: Definition): string | undefined {
  const checked = parseDefinition(wished, parseUrn(urn), namespaceWordOf(standing));
  if (!checked.ok) return describeViolations(checked.violations);
  const breaks = compatibility(standing, checked.value);
  if (breaks.length === 0 || isGreaterVersion(checked.value.version, standing.version)) return undefined;
  const needed = standing.version === undefined ? '' : ` (greater than ${standing.version})`;
  return describeViolations(breaks.map(({ path, message }) => violation(path, `${message}${needed}`)));
}
