import { entityPath } from '../api.ts';
import { type KubeBench, manifestOf } from './kube-bench.ts';

const datasetUrn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

/** Resources that people wish for while leaders change, and what the catalogue has of them. */
export class LeaderWishes {
  readonly bench: KubeBench;

  constructor(bench: KubeBench) {
    this.bench = bench;
  }

  propertyUrn(name: string): string {
    return `urn:li:structuredProperty:leaders.${name}`;
  }

  property(name: string, spec: object = {}): object {
    return manifestOf('StructuredProperty', name, {
      qualifiedName: `leaders.${name}`,
      valueType: 'number',
      entityTypes: ['dataset'],
      ...spec,
    });
  }

  /** A value of the property with the same name. */
  values(name: string, value: number): object {
    return manifestOf('DatasetProperties', name, {
      datasetUrn: datasetUrn(name),
      whenMissing: 'Create',
      properties: [{ propertyRef: { name }, values: [value] }],
    });
  }

  async displayNameOf(name: string): Promise<string | undefined> {
    const { body } = await this.bench.api.get(entityPath('v3', this.propertyUrn(name)));
    return body.propertyDefinition?.value.displayName;
  }

  async valuesOf(name: string): Promise<unknown> {
    const { body } = await this.bench.api.get(`${entityPath('v3', datasetUrn(name))}?aspects=structuredProperties`);
    return body.structuredProperties?.value.properties.map((one: { values: object[] }) => one.values);
  }
}
