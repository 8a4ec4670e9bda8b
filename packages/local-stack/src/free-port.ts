import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { LocalStackError } from './local-stack-error.ts';

/**
 * Below the range from which Linux (32768 up) and macOS (49152 up) take the local ports of outgoing connections. A
 * server that is down for a while would otherwise lose its port to a client, and a client that keeps dialling a closed
 * port of that range can connect to itself.
 */
const LOWEST_PORT = 12_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 50;

/**
 * A TCP port of 127.0.0.1 that nobody listened on a moment ago, drawn at random so that stacks side by side rarely
 * meet; never `butNot`, which the same server is about to listen on.
 */
export async function freePort(butNot?: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (port !== butNot && (await isFree(port))) return port;
  }
  throw new LocalStackError('PORT_TAKEN', `No free port found between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
