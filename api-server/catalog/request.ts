import type { Grants } from '../../model/access/grants.ts';
import type { Identity } from '../auth/authenticator.ts';
import type { Fence } from '../store/port.ts';
import { CatalogError } from './errors.ts';
import type { CatalogParts, RequestContext } from './parts.ts';
import type { RegistryView } from './registry/registry.ts';

/** Who asks, and until when the answer has to be written. */
export interface AskedBy extends Omit<RequestContext, 'actor'> {
  readonly caller: Identity;
  /** Of the client, as far as it is known. */
  readonly address?: string | undefined;
  /** The view by which it was found who asks. */
  readonly registry?: RegistryView | undefined;
}

/** One request as the use cases see it: what it works with, who asks, until when, and what its reads know of definitions. */
export class CatalogRequest implements RequestContext {
  readonly parts: CatalogParts;
  readonly caller: Identity;
  readonly address: string | undefined;
  readonly actor: string;
  readonly deadline: number;
  readonly fence?: Fence;
  /** What the caller may do, once it was looked up. */
  grants?: Promise<Grants>;
  /** Bytes of the entities that were read for the answer, and are held for it. */
  held = 0;
  readonly #admit: () => Promise<void>;
  #registry: Promise<RegistryView> | undefined;

  /** @param admit waits until a large answer may be made: a few at a time, so that they have the memory. */
  constructor(
    parts: CatalogParts,
    { caller, address, deadline, fence, registry }: AskedBy,
    admit: () => Promise<void> = async () => {},
  ) {
    this.parts = parts;
    this.caller = caller;
    this.address = address;
    this.actor = caller.actor;
    this.deadline = deadline;
    this.#admit = admit;
    if (fence !== undefined) this.fence = fence;
    if (registry !== undefined) this.#registry = Promise.resolve(registry);
  }

  /** The registry for all reads of the request, as it is at the first of them. A write takes its own, at each attempt. */
  registry(): Promise<RegistryView> {
    this.#registry ??= this.parts.registry.view();
    return this.#registry;
  }

  /** Called before more is read than every request may at once. @throws CatalogError `unavailable`. */
  admitLargeAnswer(): Promise<void> {
    return this.#admit();
  }

  /** After a write: the reads that follow have to see what it changed. */
  forgetRegistry(): void {
    this.#registry = undefined;
  }
}

/** For requests of many steps. @throws CatalogError `timeout` when the request has taken longer than it may. */
export function checkDeadline({ monotonic }: CatalogParts, { deadline }: Pick<RequestContext, 'deadline'>): void {
  if (monotonic() > deadline) throw new CatalogError('timeout', 'The request took too long. Ask for less at a time.');
}

/** How long the request may still take, in ms. */
export function patienceOf({ parts, deadline }: CatalogRequest): number {
  return Math.max(0, deadline - parts.monotonic());
}
