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
