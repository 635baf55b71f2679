import { MemoryCatalogue } from '../../plan/catalogue/memory-catalogue.ts';

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
