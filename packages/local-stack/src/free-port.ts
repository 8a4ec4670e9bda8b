import { randomInt } from 'node:crypto';
import { mkdir, open, stat, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { PORTS_FOLDER } from './cache-folders.ts';
import { LocalStackError } from './local-stack-error.ts';

/**
 * Below the range from which Linux (32768 up) and macOS (49152 up) assign local ports of outgoing connections. In
 * that range, a server that is down for a while could lose its port to a client, and a client that repeatedly dials
 * a closed port can connect to itself.
 */
const LOWEST_PORT = 12_000;
const HIGHEST_PORT = 32_000;
const ATTEMPTS = 50;
/** Longer than a server is down before it listens on its port again. */
const DRAWN_FOR_MS = 600_000;

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, and that no process of this checkout gets for the next ten
 * minutes: a server that is killed and started again finds its port free.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if ((await isOurs(port)) && (await isFree(port))) return port;
  }
  throw new LocalStackError('PORT_TAKEN', `No free port found between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

/** False if another call, in any process, has drawn the port lately. */
async function isOurs(port: number): Promise<boolean> {
  const file = `${PORTS_FOLDER}${port}`;
  await mkdir(PORTS_FOLDER, { recursive: true });
  try {
    await (await open(file, 'wx')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const now = Date.now();
  if (now - (await stat(file)).mtimeMs < DRAWN_FOR_MS) return false;
  await utimes(file, now / 1_000, now / 1_000);
  return true;
}

/** True if nothing listens on the port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
