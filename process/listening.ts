import type { FastifyInstance } from 'fastify';

/**
 * Makes a server listen.
 * @param variable the environment variable that sets the port, to name it when the port is taken.
 * @throws Error that says what to do when the address cannot be had.
 */
export async function listen(server: FastifyInstance, host: string, port: number, variable: string): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `${host}:${port} is in use: stop what listens there, or set ${variable} to another port (0 = any)`,
      );
    }
    if (code === 'EACCES') throw new Error(`${host}:${port} may not be used: set ${variable} to a port above 1023`);
    if (code === 'EADDRNOTAVAIL') throw new Error(`${host} is no address of this machine: set HOST to one that is`);
    throw error;
  }
}

/** How long requests that are under way may take before their connections are cut, in ms. */
const PATIENCE = 5_000;

/**
 * Closes a server: no new requests, those under way are answered. A client that keeps a connection open without asking
 * anything, or that takes too long, is cut off.
 */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), PATIENCE);
  try {
    await server.close();
  } finally {
    clearTimeout(timer);
  }
}
