import { Document } from 'yaml';
import { POLICED_KINDS, RESOURCE_KINDS } from '../../model/resource/identity.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { crdFileName, policyFileName } from './file-names.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';

/** The content of a file of crds/. */
export function crdFile(name: string): string {
  const kind = RESOURCE_KINDS.find((one) => name === crdFileName(one));
  if (kind !== undefined) return yaml(customResourceDefinition(kind));
  const policed = POLICED_KINDS.find((one) => name === policyFileName(one));
  if (policed === undefined) throw new Error(`crds/ has no ${name}`);
  return yaml(...validatingAdmissionPolicy(policed));
}

/** Objects one after the other, without YAML's references, which people find hard to read. */
function yaml(...objects: readonly object[]): string {
  const texts = objects.map((object) =>
    new Document(object, { aliasDuplicateObjects: false }).toString({ lineWidth: 118 }),
  );
  return `# Written by \`make generate\` from model/resource/; change the model.\n${texts.join('---\n')}`;
}
