import type { Assignment } from '../../model/assignment.ts';
import type { Owner } from '../../operator/catalogue/catalogue.ts';
import { MemoryCatalogue } from '../../plan/catalogue/memory-catalogue.ts';

export interface PatchOperation {
  readonly op: 'add' | 'remove';
  readonly path: string;
  readonly value?: Assignment;
}

/** The catalogue in memory, as tests fill it and look into it. */
export class FakeCatalogue extends MemoryCatalogue {
  addDataset(urn: string): void {
    this.create(urn);
  }

  override define(...written: Parameters<MemoryCatalogue['define']>): void {
    super.define(...written);
    this.collect();
  }

  override delete(urn: string): void {
    super.delete(urn);
    this.collect();
  }

  patch(urn: string, operations: readonly PatchOperation[], owner: Owner | undefined, create: boolean): void {
    const changes = operations.map(({ op, path, value }) =>
      op === 'remove'
        ? ({ op, propertyUrn: propertyOf(path) } as const)
        : ({ op, propertyUrn: value?.propertyUrn ?? propertyOf(path), values: value?.values ?? [] } as const),
    );
    this.patchAssignments(urn, changes, { owner, create });
  }

  /** What a dataset visibly holds, as `{qualified name: [values]}`. */
  values(urn: string): Record<string, unknown[]> | undefined {
    const visible = this.readAssignments(urn);
    if (visible === undefined) return undefined;
    return Object.fromEntries(
      visible.map(({ propertyUrn, values }) => [
        propertyUrn.replace('urn:li:structuredProperty:', ''),
        values.map((value) => Object.values(value)[0]),
      ]),
    );
  }
}

function propertyOf(path: string): string {
  return path.slice('/properties/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
}
