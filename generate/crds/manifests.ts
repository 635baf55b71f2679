import { Document } from 'yaml';
import { RESOURCE_KINDS } from '../../model/resource/identity.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { crdFileName, policyFileName } from './file-names.ts';
import { validatingAdmissionPolicy } from './validating-admission-policy.ts';

/** The content of a file of crds/. */
export function crdFile(name: string): string {
  const kind = RESOURCE_KINDS.find((one) => name === crdFileName(one) || name === policyFileName(one));
  if (kind === undefined) throw new Error(`crds/ has no ${name}`);
  return name === crdFileName(kind) ? yaml(customResourceDefinition(kind)) : yaml(...validatingAdmissionPolicy(kind));
}

/** Objects one after the other, without YAML's references, which people find hard to read. */
function yaml(...objects: readonly object[]): string {
  const texts = objects.map((object) =>
    new Document(object, { aliasDuplicateObjects: false }).toString({ lineWidth: 118 }),
  );
  return `# Written by \`make generate\` from model/resource/; change the model.\n${texts.join('---\n')}`;
}
