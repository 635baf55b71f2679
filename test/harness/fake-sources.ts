import type { LeaseRequest, SourcePlace, SourceRecord } from '../../model/wire/source-record.ts';
import { type Clock, SYSTEM_CLOCK } from '../../process/clock.ts';

/** The sources that an API server lets operators work on, in memory. */
export class FakeSources {
  readonly stored = new Map<string, SourceRecord>();
  /** By which leases end. */
  clock: Pick<Clock, 'now'> = SYSTEM_CLOCK;

  lease(name: string, { holder, ms, instead }: LeaseRequest): SourceRecord {
    const now = this.clock.now();
    const standing = this.stored.get(name) ?? { name, lease: `lease-${name}`, created: 1, term: 0 };
    const before = standing.holder;
    const isMine = before?.id === holder.id;
    if (before !== undefined && !isMine && before.id !== instead && before.until > now) return standing;
    const term = isMine ? standing.term : standing.term + 1;
    const since = isMine ? before.since : now;
    const source = { ...standing, term, holder: { ...holder, since, until: now + ms } };
    this.stored.set(name, source);
    return source;
  }

  release(name: string, holder: string): void {
    const { holder: before, ...rest } = this.stored.get(name)!;
    if (before?.id === holder) this.stored.set(name, rest);
  }

  place(name: string, place: SourcePlace): SourceRecord {
    const source = { ...this.stored.get(name)!, place };
    this.stored.set(name, source);
    return source;
  }
}
