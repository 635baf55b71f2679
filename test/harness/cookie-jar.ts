/** The cookies of a browser, as far as one site needs them; what they are restricted to is for a test to look at. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** Takes over what an answer sets. @returns the lines, to look at their attributes. */
  take(headers: Headers): string[] {
    const lines = headers.getSetCookie();
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return lines;
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  set(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  /** As the header `Cookie` has them. */
  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
