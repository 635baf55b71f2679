import type * as z from 'zod';
import { PRIVILEGES } from '../../model/access/privileges.ts';
import type { Me } from '../../model/wire/access.ts';

/** What is answered instead, as the body of an error. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function meOf(username: string, privileges: string[]): Me {
  const actor = `urn:li:corpuser:${username}`;
  return { actor, displayName: username, by: 'token', roles: [], groups: [], privileges, authEnabled: true };
}

export function demand({ actor, privileges }: Me, privilege: keyof typeof PRIVILEGES): void {
  if (privileges.includes(privilege)) return;
  throw new Refusal(401, `${actor} is not authorized: it needs the privilege ${PRIVILEGES[privilege].label}.`);
}

/** Nothing goes out, and nothing comes in, that is not as the wire schema says. */
export function sent<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (!read.success) throw new Refusal(400, read.error.message);
  return read.data;
}
