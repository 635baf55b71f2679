import { systemAuthorization } from '../model/wire/auth.ts';
import type { StartConfig } from './config.ts';

/** The API server of this process, as its other roles ask it. */
export interface OwnServer {
  /** Its address. */
  readonly host: string;
  /** They are our own parts: nobody asks them for a token. */
  readonly authorization: string;
}

/** @param host its address. */
export function ownServer(host: string, config: StartConfig): OwnServer {
  const { DATAHUB_SYSTEM_CLIENT_ID: id, DATAHUB_SYSTEM_CLIENT_SECRET: secret = '' } = config;
  return { host, authorization: systemAuthorization(id, secret) };
}
