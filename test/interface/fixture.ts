import { expect } from '@jest/globals';
import { type Answer, Api, entityPath } from '../harness/api.ts';
import type { NewDeployment } from '../harness/deployments.ts';
import { ProplaneProcess } from '../harness/proplane-process.ts';

/** What the tests of the interface document share: its examples, and the process that `npm start` starts. */

export const RETENTION = 'urn:li:structuredProperty:com.example.privacy.retentionTime';
export const WORDS = 'urn:li:structuredProperty:com.example.privacy.retentionTime02';
export const RETENTION_FIELD = 'structuredProperties.com_example_privacy_retentionTime';
export const WORDS_FIELD = 'structuredProperties.com_example_privacy_retentionTime02';

export const HIVE = 'urn:li:dataset:(urn:li:dataPlatform:hive,SampleHiveDataset,PROD)';
export const HDFS = 'urn:li:dataset:(urn:li:dataPlatform:hdfs,SampleHdfsDataset,PROD)';
export const FLOW = 'urn:li:dataFlow:(airflow,sample,PROD)';
export const HIVE_KEY = { name: 'SampleHiveDataset', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };

/** A number, several of a few. */
export const retention = {
  qualifiedName: 'com.example.privacy.retentionTime',
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
  qualifiedName: 'com.example.privacy.retentionTime02',
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

  private constructor(proplane: ProplaneProcess, end: () => Promise<void>) {
    this.url = proplane.url;
    this.api = new Api(proplane.url);
    this.frontend = new Api(proplane.frontendUrl);
    this.#end = end;
  }

  static async start(newDeployment: NewDeployment): Promise<InterfaceService> {
    const deployment = await newDeployment();
    const proplane = await ProplaneProcess.start({ deployment });
    const service = new InterfaceService(proplane, async () => {
      await proplane.kill();
      await deployment.remove();
    });
    for (const urn of [HIVE, HDFS, FLOW]) await service.api.post(entityPath('v3', urn, 'status'), { removed: false });
    return service;
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
