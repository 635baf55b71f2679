/**
 * The life of properties and their values as a person would tell it, with plain maps: what the server has to agree with
 * after every step.
 */

export interface Values {
  readonly property: number;
  readonly values: readonly (number | string)[];
}

interface Held extends Values {
  readonly epoch: number;
}

interface Property {
  type: 'number' | 'string';
  multiple: boolean;
  version?: string;
  greatest?: string;
  removed: boolean;
  epoch: number;
}

export interface Wish {
  readonly type: 'number' | 'string';
  readonly multiple: boolean;
  readonly version?: string;
}

export class LifeCycleModel {
  readonly properties = new Map<number, Property>();
  readonly #held = new Map<number, Held[]>();
  #epochs = 0;

  /** @returns whether the definition is accepted. */
  define(name: number, { type, multiple, version }: Wish): boolean {
    const property = this.properties.get(name);
    if (property?.removed) return false;
    const breaks = property !== undefined && (property.type !== type || (property.multiple && !multiple));
    const isGreater = version !== undefined && (property?.greatest === undefined || version > property.greatest);
    if (breaks && !isGreater) return false;
    const greatest = [property?.greatest, version]
      .filter((each) => each !== undefined)
      .sort()
      .at(-1);
    if (property === undefined || breaks) this.#epochs += 1;
    const epoch = property === undefined || breaks ? this.#epochs : property.epoch;
    this.properties.set(name, {
      type,
      multiple,
      removed: false,
      epoch,
      ...(version === undefined ? {} : { version }),
      ...(greatest === undefined ? {} : { greatest }),
    });
    return true;
  }

  /** @returns whether there is such a property. */
  setRemoved(name: number, removed: boolean): boolean {
    const property = this.properties.get(name);
    if (property !== undefined) property.removed = removed;
    return property !== undefined;
  }

  hardDelete(name: number): void {
    this.properties.delete(name);
  }

  accepts({ property: name, values }: Values): boolean {
    const property = this.properties.get(name);
    if (property === undefined || property.removed || (!property.multiple && values.length > 1)) return false;
    return values.every((value) => typeof value === property.type);
  }

  /** A full replace. @returns whether it is accepted. */
  replace(dataset: number, assignments: readonly Values[]): boolean {
    const names = assignments.map(({ property }) => property);
    if (new Set(names).size < names.length || !assignments.every((each) => this.accepts(each))) return false;
    const living = this.#living(dataset);
    const next = assignments.map((each) => ({ ...each, epoch: this.#epochOf(each.property) }));
    for (const [index, hidden] of living.entries()) {
      if (!this.properties.get(hidden.property)?.removed) continue;
      const predecessor = living[index - 1]?.property;
      next.splice(next.findIndex(({ property }) => property === predecessor) + 1, 0, hidden);
    }
    this.#held.set(dataset, next);
    return true;
  }

  add(dataset: number, assignment: Values): boolean {
    if (!this.accepts(assignment)) return false;
    const living = this.#living(dataset);
    const held = { ...assignment, epoch: this.#epochOf(assignment.property) };
    const index = living.findIndex(({ property }) => property === assignment.property);
    if (index < 0) living.push(held);
    else living[index] = held;
    this.#held.set(dataset, living);
    return true;
  }

  remove(dataset: number, name: number): void {
    this.#held.set(
      dataset,
      this.#living(dataset).filter(({ property }) => property !== name),
    );
  }

  /** What reads show. */
  visible(dataset: number): Values[] {
    return this.#living(dataset)
      .filter(({ property }) => !this.properties.get(property)?.removed)
      .map(({ property, values }) => ({ property, values }));
  }

  /** Datasets that a search for the presence of a property finds. */
  holders(name: number, datasets: readonly number[]): number[] {
    return datasets.filter((dataset) =>
      this.visible(dataset).some(({ property, values }) => property === name && values.length > 0),
    );
  }

  #epochOf(name: number): number {
    return this.properties.get(name)?.epoch ?? -1;
  }

  #living(dataset: number): Held[] {
    return (this.#held.get(dataset) ?? []).filter(
      ({ property, epoch }) => this.properties.get(property)?.epoch === epoch,
    );
  }
}
