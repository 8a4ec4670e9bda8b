import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('a free port', () => {
  it('can be listened on, and is none that an outgoing connection could have', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    for (const port of ports) expect(port).toBeLessThan(32_768);
    const server = createServer().listen(ports[0], '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  });
});
