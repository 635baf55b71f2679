import type { LeaseRequest, SourcePlace, SourceRecord } from '../../model/wire/source-record.ts';

/** The sources that an API server lets operators work on, in memory. */
export class FakeSources {
  readonly stored = new Map<string, SourceRecord>();

  lease(name: string, { holder, ms, instead }: LeaseRequest): SourceRecord {
    const standing = this.stored.get(name) ?? { name, lease: `lease-${name}`, created: 1, term: 0 };
    const before = standing.holder;
    const isMine = before?.id === holder.id;
    if (before !== undefined && !isMine && before.id !== instead && before.until > Date.now()) return standing;
    const term = isMine ? standing.term : standing.term + 1;
    const since = isMine ? before.since : Date.now();
    const source = { ...standing, term, holder: { ...holder, since, until: Date.now() + ms } };
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
