import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportToFile } from '../../cli/export.ts';
import { importFile } from '../../cli/import.ts';
import { noProgress } from '../../cli/progress.ts';
import type { HttpClient, HttpRequest } from '../../client/http-client.ts';
import { RejectedError, UnavailableError } from '../../client/http-errors.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { TestClock } from '../harness/test-clock.ts';

/** Whoever waits for a server that is away waits for a thousandth of that. */
const clock = new TestClock(1_000);
const OPTIONS = { clock, progress: noProgress, patience: 0, interval: 1 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let asked: HttpRequest[];
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'export');
  asked = [];
});
afterEach(() => folder.remove());

const header = (rest: object = {}) =>
  print({
    kind: 'header',
    format: 'proplane-export',
    version: 1,
    id: randomUUID(),
    begun: clock.now(),
    namespaceWord: 'datahub',
    entities: 2,
    ...rest,
  });
const thing = (id: string, text = '') => print({ kind: 'resource', id, body: { text } });
const end = (lines: number) => print({ kind: 'end', lines });
const print = (line: object) => `${JSON.stringify(line)}\n`;

/** Answers each request for a stream with the next of the texts, and cuts it there unless the end is in it. */
function streaming(...answers: string[]): HttpClient {
  return client(
    async () => undefined,
    async function* (request) {
      asked.push(request);
      const text = answers.shift();
      if (text === undefined) throw new UnavailableError('away');
      yield Buffer.from(text);
      if (!text.includes('"end"')) throw new UnavailableError('cut');
    },
  );
}

function client(send: HttpClient['send'], stream: HttpClient['stream']): HttpClient {
  return { host: 'http://server', send, stream, close: () => undefined };
}

const queries = () => asked.map(({ query = [] }) => Object.fromEntries(query));

describe('an export to a file', () => {
  it('goes on behind the last whole line, behind the header too, and counts all lines', async () => {
    const head = header();
    const answers = [`${head}{"kind":"reso`, `${thing('a')}`, `${thing('b')}${end(4)}`];
    expect(await exportToFile(streaming(...answers), file, { ...OPTIONS, patience: 10_000 })).toBe(4);
    expect(await readFile(file, 'utf8')).toBe([head, thing('a'), thing('b'), end(4)].join(''));
    const { id } = JSON.parse(head);
    expect(queries()).toEqual([{}, { after: `header:${id}`, lines: '1' }, { after: 'resource:a', lines: '2' }]);
  });

  it('keeps what has arrived when the server stays away, for the next time', async () => {
    const head = header();
    const staysAway = streaming(`${head}${thing('a')}{"ki`);
    await expect(exportToFile(staysAway, file, { ...OPTIONS, patience: 1_000 })).rejects.toThrow('away');
    expect(await readFile(file, 'utf8')).toBe(`${head}${thing('a')}`);
    await exportToFile(streaming(end(3)), file, OPTIONS);
    expect(await readFile(file, 'utf8')).toBe(`${head}${thing('a')}${end(3)}`);
  });

  it('takes off what was cut in the middle of a line', async () => {
    await writeFile(file, `${header()}${thing('a')}{"kind":"resource","id":"b`);
    await exportToFile(streaming(`${thing('b')}${end(4)}`), file, OPTIONS);
    expect(
      (await readFile(file, 'utf8'))
        .split('\n')
        .map((line) => line.slice(0, 29))
        .slice(1),
    ).toEqual(['{"kind":"resource","id":"a","', '{"kind":"resource","id":"b","', '{"kind":"end","lines":4}', '']);
  });

  it.each([
    ['a whole export', `${header()}${end(2)}`, 'is a whole export already'],
    ['a part of one begun long ago', header({ begun: clock.now() - 13 * 3600 * 1000 }), 'too long ago'],
    ['something else', 'a: 1\n', 'export is no export of Proplane'],
    ['an export of a newer release', header({ version: 2 }), 'this release reads version 1'],
    ['a part of a line', '{"kind":"header"', 'it has not one whole line'],
  ])('leaves %s alone, and says why', async (_what, text, message) => {
    await writeFile(file, text);
    await expect(exportToFile(streaming(), file, OPTIONS)).rejects.toThrow(message);
    expect([await readFile(file, 'utf8'), asked]).toEqual([text, []]);
  });
});

describe('an import of a file', () => {
  /** A server that takes lines. */
  const taking = (session: object) =>
    client(
      async (request) => {
        asked.push(request);
        return session;
      },
      () => {
        throw new Error('nothing is streamed');
      },
    );

  it('sends parts of at most 500 lines and 4 MiB, a longer line alone', async () => {
    const long = thing('long', 'x'.repeat(5 * 1024 * 1024));
    const short = Array.from({ length: 1_000 }, (_, index) => thing(`s${index}`));
    await writeFile(file, [header(), ...short, long, thing('last'), end(1_004)].join(''));
    expect(await importFile(taking({ state: 'none', lines: 0 }), file, OPTIONS)).toEqual({
      lines: 1_004,
      already: false,
    });
    const parts = asked.slice(1).map(({ text = '' }) => text.split('\n').length - 1);
    expect(parts).toEqual([500, 500, 1, 1, 2]);
    expect(
      queries()
        .slice(1)
        .map(({ before }) => before),
    ).toEqual(['0', '500', '1000', '1001', '1002']);
  });

  it('is refused when it is something else', async () => {
    await writeFile(file, '# Read me\n');
    await expect(importFile(taking({}), file, OPTIONS)).rejects.toThrow('is no export of Proplane');
    await expect(importFile(taking({}), folder.path, OPTIONS)).rejects.toThrow('is a folder');
    expect(asked).toEqual([]);
  });

  it('goes on behind the lines that the server has', async () => {
    const head = header();
    await writeFile(file, [head, thing('a'), thing('b'), end(4)].join(''));
    await importFile(taking({ state: 'open', id: JSON.parse(head).id, lines: 2 }), file, OPTIONS);
    expect(asked.slice(1)).toMatchObject([{ method: 'POST', text: `${thing('b')}${end(4)}` }]);
  });

  it('ends with what the server has refused', async () => {
    await writeFile(file, `${header()}${end(2)}`);
    const refusing = client(
      async ({ method }) => {
        if (method === 'GET') return { state: 'none', lines: 0 };
        throw new RejectedError(400, 'line 1: no');
      },
      () => {
        throw new Error('nothing is streamed');
      },
    );
    await expect(importFile(refusing, file, { ...OPTIONS, patience: 10_000 })).rejects.toThrow('line 1: no');
  });
});
