import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compatibility, refusedChanges } from '../../../model/compatibility.ts';
import { parseDefinition } from '../../../model/definition.ts';
import { definitionOf } from '../../../model/resource/definition-of.ts';
import { parseResource } from '../../../model/resource/parse-resource.ts';
import type { StructuredPropertySpec } from '../../../model/resource/structured-property.ts';
import { parseUrn, structuredPropertyUrn } from '../../../model/urn.ts';
import { Admission } from '../../harness/kubernetes/admission.ts';
import { applyCrds } from '../../harness/kubernetes/crds.ts';
import { describeWithCluster } from '../../harness/kubernetes/describe-cluster.ts';
import { newNamespace } from '../../harness/kubernetes/namespaces.ts';
import {
  datasetProperties,
  structuredProperties,
  structuredPropertyChanges,
} from '../../harness/manifest-arbitraries.ts';

const RUNS = Number(process.env.PROPLANE_ADMISSION_RUNS ?? 150);

/** Rules are written twice: in TypeScript and, for the API server, as schema and CEL. */
await describeWithCluster('admission and the model', (cluster) => {
  let namespace: Awaited<ReturnType<typeof newNamespace>>;
  let admission: Admission;

  beforeAll(async () => {
    await applyCrds(cluster);
    namespace = await newNamespace(cluster);
    admission = new Admission(cluster, namespace.name);
    await admission.arePoliciesInForce();
  });

  afterAll(() => namespace?.remove());

  it('agree on every StructuredProperty', () =>
    fc.assert(
      fc.asyncProperty(structuredProperties, async (manifest) => {
        const here = inNamespace(manifest);
        expect(await admission.refusalOf(here)).toEqual(verdictLike(refusalByModel(here)));
      }),
      { numRuns: RUNS },
    ));

  it('agree on every DatasetProperties', () =>
    fc.assert(
      fc.asyncProperty(datasetProperties, async (manifest) => {
        const here = inNamespace(manifest);
        expect(await admission.refusalOf(here)).toEqual(verdictLike(refusalByModel(here)));
      }),
      { numRuns: RUNS },
    ));

  it('agree on every change of a StructuredProperty', () =>
    fc.assert(
      fc.asyncProperty(structuredPropertyChanges, async ([one, other]) => {
        const [before, after] = [inNamespace(one), inNamespace(other)];
        fc.pre(refusalByModel(before) === undefined);
        const expected = refusalByModel(after) ?? refusalOfChange(before, after);
        expect(await admission.refusalOfChange(before, after)).toEqual(verdictLike(expected));
      }),
      { numRuns: RUNS },
    ));

  function inNamespace<T extends { metadata: object }>(manifest: T) {
    const text = JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, namespace: namespace.name } });
    return JSON.parse(text) as T & { kind: string; metadata: { name: string }; spec: object };
  }
});

/** Whether there is a refusal matters; both texts are shown when the two differ. */
function verdictLike(refusal: string | undefined): unknown {
  return refusal === undefined ? undefined : expect.any(String);
}

function refusalByModel(manifest: object): string | undefined {
  const parsed = parseResource(manifest);
  return parsed.valid ? undefined : parsed.violations.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

/** What the server would say to the change of one valid manifest into another. */
function refusalOfChange(before: object, after: object): string | undefined {
  const [one, other] = [definition(before), definition(after)];
  if (one.qualifiedName !== other.qualifiedName) return 'qualifiedName was changed';
  return refusedChanges(compatibility(one, other), other.version, one.version)[0]?.message;
}

function definition(manifest: object) {
  const parsed = parseResource(manifest);
  if (!parsed.valid) throw new Error('not valid');
  // Which entity types a value of type urn may name is nothing that breaks.
  const { typeQualifier: _qualifier, ...body } = definitionOf(parsed.resource.spec as StructuredPropertySpec);
  const checked = parseDefinition(body, parseUrn(structuredPropertyUrn(body.qualifiedName)), 'datahub');
  if (!checked.ok) throw new Error(JSON.stringify(checked.violations));
  return checked.value;
}
