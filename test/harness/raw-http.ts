import { connect } from 'node:net';

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** `HTTP/1.1`. */
  readonly version: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection on which a test says what it likes, and nothing that it does not say. */
export class RawConnection {
  readonly #socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #changed = Promise.withResolvers<void>();

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname.replace(/^\[|\]$/gu, ''));
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // A server that refuses a long request resets the connection on which the rest of it arrives.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  send(data: string | Buffer): void {
    this.#socket.write(data);
  }

  /** The next answer; one without a length ends with the connection. @throws Error when there comes none. */
  async answer(options: { readonly toHead?: boolean } = {}): Promise<RawAnswer> {
    const end = await this.#until(() => {
      const at = this.#received.indexOf('\r\n\r\n');
      return at < 0 ? undefined : at;
    });
    const [first = '', ...lines] = this.#take(end + 4)
      .toString('latin1')
      .trimEnd()
      .split('\r\n');
    const [version = '', status] = first.split(' ');
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const body = await this.#body(Number(status), headers, options.toHead === true);
    return { status: Number(status), version, headers, body };
  }

  /** Waits until the server closes the connection. @returns what came before that and was not read yet. */
  async closed(): Promise<string> {
    await this.#until(() => (this.#ended ? true : undefined));
    return this.#take(this.#received.length).toString('latin1');
  }

  close(): void {
    this.#socket.destroy();
  }

  async #body(status: number, headers: Readonly<Record<string, string>>, toHead: boolean): Promise<string> {
    if (toHead || status < 200 || status === 204) return '';
    if (headers['transfer-encoding'] === 'chunked') return this.#chunks();
    const length = headers['content-length'];
    if (length === undefined) return this.closed();
    return this.#exactly(Number(length));
  }

  async #chunks(): Promise<string> {
    for (let body = ''; ; ) {
      const line = await this.#until(() => {
        const at = this.#received.indexOf('\r\n');
        return at < 0 ? undefined : at;
      });
      const size = Number.parseInt(this.#take(line + 2).toString('latin1'), 16);
      const chunk = await this.#exactly(size + 2);
      if (size === 0) return body;
      body += chunk.slice(0, size);
    }
  }

  async #exactly(length: number): Promise<string> {
    await this.#until(() => (this.#received.length >= length ? true : undefined));
    return this.#take(length).toString('latin1');
  }

  #take(length: number): Buffer {
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }

  async #until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`the connection was closed after: ${this.#received.toString('latin1')}`);
      await this.#changed.promise;
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

/** Says one thing on a connection of its own. @returns the first answer that is no `100 Continue`. */
export async function said(url: string, request: string | Buffer): Promise<RawAnswer> {
  const connection = new RawConnection(url);
  try {
    connection.send(request);
    const toHead = request.toString('latin1', 0, 5).startsWith('HEAD ');
    for (;;) {
      const answer = await connection.answer({ toHead });
      if (answer.status !== 100) return answer;
    }
  } finally {
    connection.close();
  }
}
