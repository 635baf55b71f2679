import { createLogUpdate } from 'log-update';
import { type ResourceKey, resourceKey } from '../../model/resource/identity.ts';
import { plain } from '../../process/text.ts';
import type { OperatorEvent } from '../event.ts';
import type { ResourceRow, Snapshot } from '../snapshot.ts';
import type { SourceProblem } from '../source/port.ts';
import { resourceTable } from './resource-table.ts';
import { MARKS } from './row-states.ts';

export interface TerminalStream extends NodeJS.WritableStream {
  readonly columns?: number;
  readonly rows?: number;
}

export interface TerminalViewOptions {
  readonly stream: TerminalStream;
  readonly isTTY: boolean;
  /** Lines above the table that shall stay on the screen, if it is high enough for both. */
  readonly linesAbove?: number;
}

/** Shows people how far the resources are. */
export interface TerminalView {
  /** Shows the state of things. */
  render(snapshot: Snapshot): void;
  /** Tells what happened. */
  tell(event: OperatorEvent): void;
  /** Leaves what is shown on the screen. */
  close(): void;
}

/** In a terminal a table that is kept up to date; elsewhere, such as in a pipe, a line for each thing that changes. */
export function createTerminalView({ stream, isTTY, linesAbove = 0 }: TerminalViewOptions): TerminalView {
  return isTTY ? tableView(stream, linesAbove) : lineView(stream);
}

/** A table of fewer lines says too little: what stands above it scrolls away then. */
const LEAST_HEIGHT = 12;

function tableView(stream: TerminalStream, linesAbove: number): TerminalView {
  const update = createLogUpdate(stream as unknown as NodeJS.WriteStream, { showCursor: true });
  return {
    render({ rows, problems }) {
      // A terminal that does not know its size says 0. One line less than there is, so that it never scrolls.
      const screen = (stream.rows || 24) - 1;
      const height = Math.max(screen - linesAbove, Math.min(screen, LEAST_HEIGHT));
      update(resourceTable(rows, problems, stream.columns || 80, { height, colour: true }));
    },
    // The table shows it.
    tell: () => undefined,
    close: () => update.done(),
  };
}

function lineView(stream: TerminalStream): TerminalView {
  let shown = new Map<ResourceKey, { readonly row: ResourceRow; readonly line: string }>();
  let told = new Set<string>();
  return {
    render({ rows, problems }) {
      const before = shown;
      shown = new Map();
      for (const row of rows.filter(isTold)) {
        const key = resourceKey(row);
        const known = before.get(key);
        const line = known?.row === row ? known.line : lineOf(row);
        if (line !== known?.line) stream.write(`${line}\n`);
        shown.set(key, { row, line });
      }
      const errors = new Set(problems.filter(({ severity }) => severity === 'error').map(problemLine));
      for (const line of errors.difference(told)) stream.write(`${line}\n`);
      told = errors;
    },
    tell({ type, id, message }) {
      if (type !== 'Deleted' && type !== 'DriftRepaired' && type !== 'ServerLost' && type !== 'ServerBack') return;
      const name = id === undefined ? '' : `${id.kind} ${id.namespace}/${id.name} `;
      stream.write(`${plain(`${type} ${name}${message}`)}\n`);
    },
    close: () => undefined,
  };
}

/** A resource that was not looked at yet has nothing to say. */
function isTold({ reason }: ResourceRow): boolean {
  return reason !== 'Pending' && reason !== 'Progressing';
}

function lineOf({ state, kind, namespace, name, reason, message }: ResourceRow): string {
  return plain(`${MARKS[state]} ${kind} ${namespace}/${name} ${reason}: ${message}`);
}

function problemLine({ location, message }: SourceProblem): string {
  return plain(location === undefined ? `! ${message}` : `! ${location}: ${message}`);
}
