import type { Registry } from 'prom-client';
import { createHttpServer } from '../process/http-server.ts';
import { closeServer, listen } from '../process/listening.ts';
import { collectMethods } from '../process/other-methods.ts';

export interface OperatorServerOptions {
  readonly host: string;
  readonly port: number;
  /** Names by which it is asked on a loopback address, beside those of the machine itself. */
  readonly allowedHosts: readonly string[];
  /** What `/metrics` shows. */
  readonly registry: Registry;
  /** `/health`: false has the process restarted. */
  isAlive(): boolean;
  /** `/ready`: the operator does its work, or stands by to take it over. */
  isReady(): boolean;
}

export interface OperatorServer {
  /** `http://host:port` that it answers on. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the operator's own HTTP server, for probes and Prometheus. @throws Error when the address cannot be had. */
export async function createOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { host, port, allowedHosts, registry, isAlive, isReady } = options;
  const server = createHttpServer({ allowedHosts });
  const refuseOtherMethods = collectMethods(server);
  server.get('/health', (_request, reply) => {
    const alive = isAlive();
    reply.code(alive ? 200 : 503).send({ status: alive ? 'ok' : 'stuck' });
  });
  server.get('/ready', (_request, reply) => {
    const ready = isReady();
    reply.code(ready ? 200 : 503).send({ ready });
  });
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  refuseOtherMethods();
  await listen(server, host, port, 'OPERATOR_PORT');
  return { url: server.listeningOrigin, stop: () => closeServer(server) };
}
