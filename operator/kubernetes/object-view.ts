import type { KubeMetadata, KubeObject } from './kube-object.ts';
import { isNewerVersion } from './resource-version.ts';

/** Is told what changed. Must not throw. */
export interface ObjectListener {
  /** `before` is absent when the object appeared. */
  upsert(object: KubeObject, before: KubeObject | undefined): void;
  /** `isFinal`: the object is as it was when it was deleted; otherwise as it was seen last, some time before. */
  gone(object: KubeObject, isFinal: boolean): void;
}

interface Entry {
  readonly object: KubeObject;
  /** What the listener knows: older than the object after a `put`. */
  readonly told: KubeObject;
}

/** `namespace/name`, or `name` for an object that belongs to no namespace. */
export function objectKey({ namespace, name }: Pick<KubeMetadata, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Objects as last seen; never goes back to an older state of one. */
export class ObjectView {
  readonly #entries = new Map<string, Entry>();
  readonly #listener: ObjectListener;

  constructor(listener: ObjectListener) {
    this.#listener = listener;
  }

  get(key: string): KubeObject | undefined {
    return this.#entries.get(key)?.object;
  }

  list(): KubeObject[] {
    return Array.from(this.#entries.values(), ({ object }) => object);
  }

  /** A state that the watch has brought. */
  changed(object: KubeObject): void {
    const known = this.#entries.get(objectKey(object.metadata));
    // What was put is known to whoever put it; when the watch arrives there, nothing has happened in between.
    if (known !== undefined && isSameState(known.object, object)) this.#keep({ object: known.object, told: object });
    else this.#take(object, isNewer);
  }

  deleted(object: KubeObject): void {
    const key = objectKey(object.metadata);
    const known = this.#entries.get(key)?.object;
    if (known === undefined) return;
    const isSame = known.metadata.uid === object.metadata.uid;
    if (!isSame && !isNewerVersion(object.metadata.resourceVersion, known.metadata.resourceVersion)) return;
    this.#entries.delete(key);
    this.#listener.gone(isSame ? object : known, isSame);
  }

  /**
   * Everything there is, as a complete list says: what is not in it is gone.
   * @param isRewound the list is of a time before what is known, as after a restored backup: older states are taken too.
   */
  replaced(objects: readonly KubeObject[], isRewound = false): void {
    const present = new Set(objects.map(({ metadata }) => objectKey(metadata)));
    for (const [key, { object }] of this.#entries) {
      if (present.has(key)) continue;
      this.#entries.delete(key);
      this.#listener.gone(object, false);
    }
    for (const object of objects) this.#take(object, isRewound ? isOther : isNewer);
  }

  /**
   * The answer of a write of our own, which the listener is not told. Only a newer state of an object that is there: the
   * answer can come later than the news that the object is gone. A change by somebody else that lies before it is told
   * when the watch gets there.
   */
  put(object: KubeObject): void {
    const known = this.#entries.get(objectKey(object.metadata));
    if (known?.object.metadata.uid === object.metadata.uid && isNewer(object, known.object))
      this.#keep({ object, told: known.told });
  }

  #take(object: KubeObject, counts: (object: KubeObject, known: KubeObject) => boolean): void {
    const known = this.#entries.get(objectKey(object.metadata));
    if (known === undefined) {
      this.#keep({ object, told: object });
      this.#listener.upsert(object, undefined);
    } else if (known.object.metadata.uid !== object.metadata.uid) {
      if (!counts(object, known.object)) return;
      this.#keep({ object, told: object });
      this.#listener.gone(known.object, false);
      this.#listener.upsert(object, undefined);
    } else if (counts(object, known.told)) {
      const isPutAhead = known.object !== known.told && !counts(object, known.object);
      const newest = isPutAhead ? known.object : object;
      this.#keep({ object: newest, told: newest });
      this.#listener.upsert(newest, known.told);
    }
  }

  #keep(entry: Entry): void {
    this.#entries.set(objectKey(entry.object.metadata), entry);
  }
}

function isNewer(object: KubeObject, known: KubeObject): boolean {
  return isNewerVersion(object.metadata.resourceVersion, known.metadata.resourceVersion);
}

function isOther(object: KubeObject, known: KubeObject): boolean {
  return object.metadata.resourceVersion !== known.metadata.resourceVersion;
}

function isSameState(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion;
}
