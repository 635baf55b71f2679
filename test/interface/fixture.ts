import { basename } from 'node:path';
import { expect } from '@jest/globals';
import { type Answer, Api, entityPath } from '../harness/api.ts';
import { type NewDeployment, sharedServersEnvironment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';
import { sharedProplane } from '../harness/shared-proplane.ts';

/** What the tests of the interface document share: its examples, and the process that `npm start` starts. */

/** Files share a server: each has properties and platforms with a name of its own. */
const FILE = basename(expect.getState().testPath ?? '', '.test.ts').replace('-', '_');

/** Finds the datasets of a file, of all that there are. */
export const OF_THIS_FILE = `platform:*_${FILE}`;

export const RETENTION = `urn:li:structuredProperty:com.example.${FILE}.retentionTime`;
export const WORDS = `urn:li:structuredProperty:com.example.${FILE}.retentionTime02`;
export const RETENTION_FIELD = `structuredProperties.com_example_${FILE}_retentionTime`;
export const WORDS_FIELD = `structuredProperties.com_example_${FILE}_retentionTime02`;

export const HIVE = `urn:li:dataset:(urn:li:dataPlatform:hive_${FILE},SampleHiveDataset,PROD)`;
export const HDFS = `urn:li:dataset:(urn:li:dataPlatform:hdfs_${FILE},SampleHdfsDataset,PROD)`;
export const FLOW = `urn:li:dataFlow:(airflow_${FILE},sample,PROD)`;
export const HIVE_KEY = { name: 'SampleHiveDataset', platform: `urn:li:dataPlatform:hive_${FILE}`, origin: 'PROD' };

/** A number, several of a few. */
export const retention = {
  qualifiedName: `com.example.${FILE}.retentionTime`,
  valueType: 'urn:li:dataType:datahub.number',
  description: 'How long to keep the data',
  displayName: 'Retention Time',
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
  allowedValues: [
    { value: { double: 30 }, description: 'ephemeral, contains personal data' },
    { value: { double: 60 }, description: 'for monthly reports' },
    { value: { double: 365 }, description: 'not sensitive' },
  ],
};

/** A text, one of two. */
export const words = {
  qualifiedName: `com.example.${FILE}.retentionTime02`,
  displayName: 'Retention words',
  valueType: 'urn:li:dataType:datahub.string',
  cardinality: 'SINGLE',
  entityTypes: ['urn:li:entityType:datahub.dataset', 'urn:li:entityType:datahub.dataFlow'],
  allowedValues: [{ value: { string: 'foo2' } }, { value: { string: 'bar2' } }],
};

export interface TypedValues {
  readonly propertyUrn: string;
  readonly values: readonly object[];
}

/** The service with two datasets and a data flow, and the requests of the interface document in short. */
export class InterfaceService {
  readonly api: Api;
  readonly frontend: Api;
  readonly url: string;
  readonly #end: () => Promise<void>;

  private constructor(url: string, frontend: string, end: () => Promise<void>) {
    this.url = url;
    this.api = new Api(url);
    this.frontend = new Api(frontend);
    this.#end = end;
  }

  /** One server a pair of backends for all files. */
  static async shared({ embedded }: { readonly embedded: boolean }): Promise<InterfaceService> {
    const { address, frontend } = embedded
      ? await sharedProplane('interface', {})
      : await sharedProplane('interface-on-servers', await sharedServersEnvironment());
    const service = new InterfaceService(address, frontend, async () => {});
    await service.#fill();
    return service;
  }

  static async start(newDeployment: NewDeployment): Promise<InterfaceService> {
    const deployment = await newDeployment();
    const proplane = await ProplaneProcess.start({ deployment });
    const service = new InterfaceService(proplane.url, proplane.frontendUrl, async () => {
      await proplane.kill();
      await deployment.remove();
    });
    await service.#fill();
    return service;
  }

  async #fill(): Promise<void> {
    for (const urn of [HIVE, HDFS, FLOW]) await this.api.post(entityPath('v3', urn, 'status'), { removed: false });
  }

  end(): Promise<void> {
    return this.#end();
  }

  /** Writes a definition. @param definition at least its `qualifiedName`. */
  define(definition: { readonly qualifiedName: string }, version: 'v2' | 'v3' = 'v3'): Promise<Answer> {
    return this.api.post(entityPath(version, propertyUrn(definition.qualifiedName), 'propertyDefinition'), definition);
  }

  /** Sets all properties of an entity. */
  set(urn: string, properties: readonly TypedValues[], version: 'v2' | 'v3' = 'v3'): Promise<Answer> {
    return this.api.post(entityPath(version, urn, 'structuredProperties'), { properties });
  }

  patch(urn: string, operations: readonly object[], version: 'v2' | 'v3' = 'v3'): Promise<Answer> {
    const body = { patch: operations, arrayPrimaryKeys: { properties: ['propertyUrn'] } };
    return this.api.patch(entityPath(version, urn, 'structuredProperties'), body);
  }

  setRemoved(property: string, removed: boolean): Promise<Answer> {
    return this.api.post(`${entityPath('v3', property, 'status')}?systemMetadata=false`, { removed });
  }

  /** The assignments that an entity shows. */
  async shown(urn: string): Promise<TypedValues[]> {
    const { body } = await this.api.get(entityPath('v3', urn, 'structuredProperties'));
    return body.structuredProperties?.value.properties ?? [];
  }

  /** The listing as the interface document asks for it. */
  search(query: string, more = ''): Promise<Answer> {
    const parameters = `aspects=datasetKey&aspects=structuredProperties&count=10&sort=urn&sortOrder=ASCENDING${more}`;
    return this.api.get(
      `/openapi/v3/entity/dataset?systemMetadata=false&${parameters}&query=${encodeURIComponent(query)}`,
    );
  }

  /** URNs that a query finds. */
  async find(query: string): Promise<string[]> {
    const { status, body } = await this.search(query);
    expect({ status, query, message: body.message }).toEqual({ status: 200, query, message: undefined });
    return body.entities.map((entity: { urn: string }) => entity.urn);
  }
}

export function propertyUrn(qualifiedName: string): string {
  return `urn:li:structuredProperty:${qualifiedName}`;
}

export function add(property: string, ...values: readonly object[]): object {
  return { op: 'add', path: `/properties/${property}`, value: { propertyUrn: property, values } };
}

export function remove(property: string): object {
  return { op: 'remove', path: `/properties/${property}` };
}
