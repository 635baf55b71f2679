import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api, entityPath } from './api.ts';
import type { Deployment } from './deployments.ts';
import { ProplaneProcess } from './proplane-process.ts';

/** The process that `npm start` starts, over a folder of manifests that a test edits. */
export class FolderProcess {
  readonly #deployment: Deployment;
  readonly folder: string;
  #proplane: ProplaneProcess | undefined;
  #api: Api | undefined;

  private constructor(deployment: Deployment) {
    this.#deployment = deployment;
    this.folder = join(deployment.folder, 'manifests');
  }

  /** An empty folder; nothing runs yet. */
  static async create(deployment: Deployment): Promise<FolderProcess> {
    const process = new FolderProcess(deployment);
    await mkdir(process.folder);
    return process;
  }

  async start(): Promise<void> {
    this.#proplane = await ProplaneProcess.start({
      deployment: this.#deployment,
      manifests: join(this.folder, '**/*.yaml'),
      environment: { RESYNC_INTERVAL_S: '2' },
    });
    this.#api = new Api(this.#proplane.url);
  }

  get proplane(): ProplaneProcess {
    if (this.#proplane === undefined) throw new Error('it was not started');
    return this.#proplane;
  }

  get api(): Api {
    if (this.#api === undefined) throw new Error('it was not started');
    return this.#api;
  }

  async remove(): Promise<void> {
    await this.#proplane?.kill();
    await this.#deployment.remove();
  }

  async write(file: string, text: string): Promise<void> {
    await writeFile(join(this.folder, file), text);
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(join(this.folder, from), join(this.folder, to));
  }

  async delete(file: string): Promise<void> {
    await rm(join(this.folder, file));
  }

  /** The first value of each property of an entity. */
  async assignmentsOf(urn: string): Promise<Record<string, string>> {
    const { body } = await this.api.get(entityPath('v3', urn, 'structuredProperties'));
    const properties = body.structuredProperties?.value.properties ?? [];
    return Object.fromEntries(
      properties.map((each: { propertyUrn: string; values: { string: string }[] }) => [
        each.propertyUrn,
        each.values[0]?.string,
      ]),
    );
  }

  async readyReason(kind: string, name: string): Promise<string> {
    const { body } = await this.api.get(`/resources/${kind}/governance/${name}`);
    const ready = body.status?.conditions?.find((condition: { type: string }) => condition.type === 'Ready');
    return `${ready?.status} ${ready?.reason}: ${ready?.message}`;
  }
}

export const TIER = 'urn:li:structuredProperty:com.example.tier';
export const OWNER = 'urn:li:structuredProperty:com.example.owner';
export const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.clicks,PROD)';
export const FIELD = `urn:li:schemaField:(${DATASET},user.email)`;

/** A manifest of a property. @param more lines of its `spec`. */
export const property = (name: string, more = '') => `apiVersion: catalog.proplane.dev/v1alpha1
kind: StructuredProperty
metadata: { name: ${name}, namespace: governance }
spec:
  qualifiedName: com.example.${name}
  valueType: string
  entityTypes: [dataset, schemaField]
${more}`;

/** A manifest that gives the dataset and a field of it a tier. */
export const values = (tier: string) => `apiVersion: catalog.proplane.dev/v1alpha1
kind: DatasetProperties
metadata: { name: clicks, namespace: governance }
spec:
  datasetUrn: ${DATASET}
  whenMissing: Create
  properties:
    - { propertyRef: { name: tier }, values: [${tier}] }
  fields:
    - fieldPath: user.email
      properties: [{ propertyRef: { qualifiedName: com.example.tier }, values: secret }]
`;
