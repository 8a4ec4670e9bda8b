import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('a free port', () => {
  it('can be listened on, and lies outside the range of outgoing connections', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    for (const port of ports) expect(port).toBeLessThan(32_768);
    // Other processes draw from the same range and may have taken one in the meantime, but not all of them.
    expect((await Promise.all(ports.map(canListen))).filter(Boolean).length).toBeGreaterThan(0);
  });

  it('is drawn by one call alone, so that a server finds its port free after a restart', async () => {
    const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()));
    expect(new Set(ports).size).toBe(ports.length);
  });
});

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
