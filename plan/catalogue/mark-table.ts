import type { EntityDraft } from '../../model/entity/draft.ts';
import type { ResourceId } from '../../model/resource/identity.ts';
import type { OwnerMark } from '../../operator/catalogue/catalogue.ts';
import { isMarkOf } from '../../operator/reconcile/ownership.ts';

type Marks = Map<string, OwnerMark>;

/** Owner marks: on assignments, and on definitions (without a property URN). Found by entity and by resource. */
export class MarkTable {
  readonly #byEntity = new Map<string, Marks>();
  readonly #byResource = new Map<string, Marks>();

  *[Symbol.iterator](): Generator<OwnerMark> {
    for (const marks of this.#byEntity.values()) yield* marks.values();
  }

  get(urn: string, propertyUrn: string | undefined): OwnerMark | undefined {
    return this.#byEntity.get(urn)?.get(propertyUrn ?? '');
  }

  on(urn: string): OwnerMark[] {
    return [...(this.#byEntity.get(urn)?.values() ?? [])];
  }

  /** All marks of a source, or of one of its resources. */
  of(source: string, id?: ResourceId): OwnerMark[] {
    if (id === undefined) return [...this].filter((mark) => mark.source === source);
    return [...(this.#byResource.get(resourceText({ ...id, source }))?.values() ?? [])];
  }

  /** The marks on an entity by what they are on, as its document has them. */
  owners(urn: string): EntityDraft['owners'] {
    return Object.fromEntries(
      [...(this.#byEntity.get(urn) ?? [])].map(([on, { urn: _urn, propertyUrn: _propertyUrn, ...mark }]) => [on, mark]),
    );
  }

  /** Makes the marks on an entity these. */
  setOwners(urn: string, owners: EntityDraft['owners']): void {
    for (const [on, mark] of this.#byEntity.get(urn) ?? []) if (owners[on] === undefined) this.#drop(mark);
    for (const [on, mark] of Object.entries(owners)) this.set(urn, on === '' ? undefined : on, mark);
  }

  set(urn: string, propertyUrn: string | undefined, owner: EntityDraft['owners'][string]): void {
    const { source, kind, namespace, name, deletionPolicy } = owner;
    const mark = {
      source,
      kind,
      namespace,
      name,
      deletionPolicy,
      urn,
      ...(propertyUrn === undefined ? {} : { propertyUrn }),
    };
    this.#drop(this.get(urn, propertyUrn));
    marksIn(this.#byEntity, urn).set(propertyUrn ?? '', mark);
    marksIn(this.#byResource, resourceText(mark)).set(placeText(mark), mark);
  }

  /** Takes the mark away if it is the owner's. */
  clear(urn: string, propertyUrn: string | undefined, owner: ResourceId & { readonly source: string }): void {
    const mark = this.get(urn, propertyUrn);
    if (isMarkOf(mark, owner.source, owner)) this.#drop(mark);
  }

  deleteEntity(urn: string): void {
    for (const mark of this.on(urn)) this.#drop(mark);
  }

  delete(urn: string, propertyUrn: string): void {
    this.#drop(this.get(urn, propertyUrn));
  }

  #drop(mark: OwnerMark | undefined): void {
    if (mark === undefined) return;
    this.#byEntity.get(mark.urn)?.delete(mark.propertyUrn ?? '');
    this.#byResource.get(resourceText(mark))?.delete(placeText(mark));
  }
}

function marksIn(table: Map<string, Marks>, key: string): Marks {
  const marks = table.get(key) ?? new Map<string, OwnerMark>();
  table.set(key, marks);
  return marks;
}

function resourceText({
  source,
  kind,
  namespace,
  name,
}: Pick<OwnerMark, 'source' | 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([source, kind, namespace, name]);
}

function placeText({ urn, propertyUrn = '' }: OwnerMark): string {
  return `${urn} ${propertyUrn}`;
}
