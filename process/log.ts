import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { LogFile } from './log-file.ts';
import { logTrouble } from './log-trouble.ts';
import { loggedUrl } from './logged-url.ts';
import { quotedVisibly } from './text.ts';

/** Lines that wait for a reader of standard output who is slow, in bytes; beyond that they are lost. */
const MOST_WAITING = 1024 * 1024;

/** What is a request's or says who asks never comes into a log, whoever logs it. */
const FORM: LoggerOptions = {
  serializers: { url: loggedUrl },
  // A line is looked at in a terminal, too.
  hooks: { streamWrite: (line) => quotedVisibly(line) },
  redact: ['headers', '*.headers', 'err.config', 'err.request', 'err.response'],
};

export interface ProcessLog {
  readonly log: Logger;
  /** Writes what waits. */
  close(): Promise<void>;
}

/** The log of a process in a file, which is put aside when it is full. Neither its disk nor its size ends anything. */
export function openLogFile(options: {
  readonly level: string;
  readonly path: string;
  readonly maxBytes: number;
  readonly files: number;
}): ProcessLog {
  outliveReaders();
  const file = new LogFile({ ...options, trouble: logTrouble });
  return { log: pino({ ...FORM, level: options.level }, file), close: () => file.close() };
}

/** The log of a process on standard output, as platforms collect it. */
export function openOutputLog(name: string, level: string): Logger {
  outliveReaders();
  const output = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING });
  output.on('error', (error) => logTrouble.lost(1, error));
  output.on('drop', () => logTrouble.lost(1));
  output.on('write', () => logTrouble.over());
  return pino({ ...FORM, name, level }, output as DestinationStream);
}

/** Whoever reads what a process prints may be gone, and a disk that it is printed to may be full. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  }
}
