import { type EntityView, WHOLE } from '../catalog/read/read-entities.ts';
import type { CatalogRequest } from '../catalog/request.ts';
import { readAllEntities } from '../use-cases/entities.ts';

interface Waiting {
  readonly resolve: (view: EntityView | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Reads the entities of one request: all that the fields of one level ask for together, each once. Without it, a page of
 * results with their properties would read the store for every field of every result.
 */
export class EntityLoader {
  readonly #request: CatalogRequest;
  readonly #known = new Map<string, Promise<EntityView | undefined>>();
  #waiting = new Map<string, Waiting>();

  constructor(request: CatalogRequest) {
    this.#request = request;
  }

  /** @param urn well-formed. @returns `undefined` when it does not exist. */
  load(urn: string): Promise<EntityView | undefined> {
    const known = this.#known.get(urn);
    if (known !== undefined) return known;
    const { promise, resolve, reject } = Promise.withResolvers<EntityView | undefined>();
    this.#known.set(urn, promise);
    // After everything that can run without waiting: then all fields of the level have asked.
    if (this.#waiting.size === 0) setImmediate(() => void this.#read());
    this.#waiting.set(urn, { resolve, reject });
    return promise;
  }

  /** What has been read already. */
  know(views: readonly EntityView[]): void {
    for (const view of views) this.#known.set(view.urn, Promise.resolve(view));
  }

  /** After a write everything is read again. */
  forget(): void {
    this.#known.clear();
    this.#request.held = 0;
    this.#request.forgetRegistry();
  }

  async #read(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    try {
      const views = await readAllEntities(
        this.#request,
        [...waiting.keys()].map((urn) => ({ urn })),
        WHOLE,
      );
      const byUrn = new Map(views.map((view) => [view.urn, view]));
      for (const [urn, { resolve }] of waiting) resolve(byUrn.get(urn));
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
    }
  }
}
