import { type ResourceId, resourceKey } from '../../../model/resource/identity.ts';
import type { ResourceStatus } from '../../../model/resource/status.ts';
import type { CallOff, Clock } from '../../../process/clock.ts';
import type { FormerResources } from '../../catalogue/former-resources.ts';
import type { HeldDeletions } from '../../catalogue/held-deletions.ts';
import type { ResourceRecords } from '../../catalogue/resource-records.ts';
import { describeFailure } from '../../credentials.ts';
import { Emitter } from '../../runtime/emitter.ts';
import { ObjectTable } from '../../table/object-table.ts';
import type { ResourceSource, SourceProblem, SourceResource } from '../port.ts';
import { StatusWriter } from '../status-writer.ts';
import { DeletionDesk } from './deletion-desk.ts';
import { PATIENCE } from './deletion-guard.ts';
import type { Entry } from './entry.ts';
import { Inventory } from './inventory.ts';
import { Scanner } from './scanner.ts';
import { pathOfLocation, shownPath } from './shown-path.ts';

/** Between two scans: at least this, and so long that looking for files takes at most a hundredth of the time. */
const SCAN_INTERVAL_MS = 500;
const IDLE_SHARE = 100;

export interface DirectorySourceOptions {
  /** Names the source in owner marks. */
  readonly name: string;
  /** Globs of manifests; `!` excludes; a plain folder means every manifest below it. */
  readonly manifests: readonly string[];
  readonly records: ResourceRecords;
  readonly heldDeletions: HeldDeletions;
  readonly former: FormerResources;
  /** Everything that is missing at the first scan may be deleted, however much it is. */
  readonly confirmDeletions?: boolean;
  /** Folder that relative globs start from, and that paths in messages are relative to. */
  readonly workingFolder?: string;
  readonly clock: Clock;
}

/** A folder of manifests as a source of resources. It is polled, since not every file system tells of changes. */
export class DirectorySource implements ResourceSource {
  readonly name: string;
  readonly #options: DirectorySourceOptions;
  readonly #scanner: Scanner;
  readonly table = new ObjectTable<Entry>();
  readonly #problemChanges = new Emitter<void>();
  readonly #statuses: StatusWriter;
  #inventory: Inventory;
  #desk: DeletionDesk;
  /** Problems that the last scan saw. */
  #seen: readonly SourceProblem[] = [];
  /** Problems that were told: those, or that a scan failed as well. */
  #problems: readonly SourceProblem[] = [];
  #callOff: CallOff | undefined;
  #scanning: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: DirectorySourceOptions) {
    const { name, manifests, workingFolder = process.cwd(), records, clock } = options;
    this.name = name;
    this.#options = options;
    this.#scanner = new Scanner(manifests, workingFolder, this.#show, clock);
    this.#statuses = new StatusWriter((id, status) => records.putStatus(id, status, this.#locationOf(id)), clock);
    this.#inventory = new Inventory(records, this.table);
    this.#desk = this.#openDesk(false);
  }

  async start(owned: readonly ResourceId[]): Promise<void> {
    const { records, confirmDeletions = false } = this.#options;
    this.#inventory = new Inventory(records, this.table);
    this.#desk = this.#openDesk(confirmDeletions);
    await this.#inventory.remember(owned);
    await this.#desk.recall();
    await this.#scan();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff?.();
    await this.#scanning;
    await this.#statuses.stop();
  }

  problems(): SourceProblem[] {
    return [...this.#problems];
  }

  onProblems(listener: () => void): () => void {
    return this.#problemChanges.on(listener);
  }

  /** The server has recorded each resource before it is shown: a deletion is noticed also after a restart. */
  async protect(): Promise<void> {}

  async reportStatus(id: ResourceId, status: ResourceStatus): Promise<void> {
    if (this.#inventory.setStatus(resourceKey(id), status)) await this.#statuses.put(id, status);
  }

  async finalized({ id }: Pick<SourceResource, 'id'>): Promise<void> {
    await this.#statuses.forget(id);
    await this.#inventory.forget(id);
  }

  #openDesk(confirmFirst: boolean): DeletionDesk {
    const { heldDeletions, former } = this.#options;
    return new DeletionDesk({
      heldDeletions,
      former,
      confirmFirst,
      patience: PATIENCE,
      show: this.#show,
      pathOf: (location) => pathOfLocation(location, this.#workingFolder),
      changed: (path) => this.#scanner.changed(path),
    });
  }

  get #workingFolder(): string {
    return this.#options.workingFolder ?? process.cwd();
  }

  readonly #show = (path: string): string => shownPath(path, this.#workingFolder);

  #locationOf(id: ResourceId): string | undefined {
    return this.table.get(resourceKey(id))?.location;
  }

  #schedule(): void {
    if (this.#stopped) return;
    const due = this.#desk.nextDue;
    const regular = Math.max(SCAN_INTERVAL_MS, IDLE_SHARE * this.#scanner.walkMs);
    const { clock } = this.#options;
    const ms = due === undefined ? regular : Math.min(regular, Math.max(due - clock.monotonic(), this.#scanner.walkMs));
    this.#callOff = clock.after(ms, () => {
      this.#scanning = this.#scan()
        .catch((error: unknown) => this.#setProblems([...this.#seen, scanFailed(error)]))
        .then(() => this.#schedule());
    });
  }

  /** One look at the files, and what follows from it. Rejects when the server cannot be asked. */
  async #scan(): Promise<void> {
    const scan = await this.#scanner.scan();
    const now = this.#options.clock.monotonic();
    const isStill = (path: string): boolean => now - (this.#scanner.changed(path) ?? now) >= PATIENCE.stillMs;
    this.#inventory.see(scan, now, isStill);
    const { deleted, problems } = await this.#desk.judge(scan, this.table.objects, now);
    this.#seen = [...scan.problems, ...problems];
    // Deletions last: whoever hears of one must be able to see what has taken its place.
    await this.#inventory.register();
    for (const key of deleted) this.#inventory.beginDeletion(key);
    await this.#desk.ask(this.table.objects);
    this.#setProblems(this.#seen);
  }

  #setProblems(problems: readonly SourceProblem[]): void {
    const changed = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    if (changed) this.#problemChanges.emit();
  }
}

function scanFailed(error: unknown): SourceProblem {
  const message = `changes of manifests wait: ${describeFailure(error)}`;
  return { severity: 'error', reason: 'ScanFailed', message };
}
