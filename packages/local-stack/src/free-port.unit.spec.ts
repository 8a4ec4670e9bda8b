import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('a free port', () => {
  it('can be listened on, and is none that an outgoing connection could have', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    for (const port of ports) expect(port).toBeLessThan(32_768);
    // Others draw theirs from the same range, and may have taken one meanwhile, but not each.
    expect((await Promise.all(ports.map(canListen))).filter(Boolean).length).toBeGreaterThan(0);
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
