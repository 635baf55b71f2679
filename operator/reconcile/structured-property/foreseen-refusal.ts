import { compatibility, refusedChanges } from '../../../model/compatibility.ts';
import { type Definition, parseDefinition } from '../../../model/definition.ts';
import { parseUrn } from '../../../model/urn.ts';
import type { Violation } from '../../../model/violation.ts';
import { namespaceWordOf } from '../definition-differences.ts';

/**
 * Why the server would refuse to change a definition, as far as what stands there tells: it also knows versions that the
 * definition had before. @returns nothing when nothing speaks against it.
 */
export function foreseenRefusal(urn: string, wished: Definition, standing: Definition): readonly Violation[] {
  const checked = parseDefinition(wished, parseUrn(urn), namespaceWordOf(standing));
  if (!checked.ok) return checked.violations;
  const breaks = compatibility(standing, checked.value);
  return refusedChanges(breaks, checked.value.version, standing.version);
}
