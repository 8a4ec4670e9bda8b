import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Health } from './health.ts';
import type { RunningApp } from './create-app.ts';
import { shelfApp } from './testing/shelf-app.ts';

let shelf: RunningApp;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await shelf.stop();
});

async function connection(): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
  const socket = connect(Number(new URL(shelf.url).port), '127.0.0.1');
  sockets.push(socket);
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return { socket, received: () => chunks.join(''), closed };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/** How the stop got rid of the connections: without, or only after the seconds after which they are cut off. */
async function stopped(): Promise<'by itself' | 'cut off'> {
  const cutOff = jest.spyOn(shelf.app.getHttpServer(), 'closeAllConnections');
  await shelf.stop();
  return cutOff.mock.calls.length === 0 ? 'by itself' : 'cut off';
}

describe('closeHttp', () => {
  it('does not wait for a connection that never asked anything, nor for one that waits for its next request', async () => {
    shelf = await shelfApp([]);
    await shelf.start();
    const silent = await connection();
    const idle = await connection();
    idle.socket.write(request('/trace'));
    await once(idle.socket, 'data');
    expect(await stopped()).toBe('by itself');
    await Promise.all([silent.closed, idle.closed]);
  });

  it('answers what is under way, and closes its connection with the answer', async () => {
    shelf = await shelfApp([]);
    await shelf.start();
    const gate = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    shelf.app.get(Health).register('slow', () => {
      asked.resolve();
      return gate.promise;
    });
    const busy = await connection();
    busy.socket.write(request('/health/ready'));
    await asked.promise;
    const stop = stopped();
    gate.resolve(true);
    expect(await stop).toBe('by itself');
    await busy.closed;
    expect(busy.received()).toMatch(/^HTTP\/1\.1 503 .*connection: close.*"stopping"/is);
  });

  it('takes the rest of a body that is under way, and closes its connection with the answer', async () => {
    shelf = await shelfApp([]);
    await shelf.start();
    const busy = await connection();
    const head =
      'POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n';
    busy.socket.write(`${head}{"a"`);
    await once(shelf.app.getHttpServer(), 'request');
    const stop = stopped();
    busy.socket.write(':1}');
    expect(await stop).toBe('by itself');
    await busy.closed;
    expect(busy.received()).toMatch(/^HTTP\/1\.1 201 .*connection: close.*\{"a":1\}/is);
  });

  it('closes a connection as it becomes idle whose headers were sent before', async () => {
    const streaming = Promise.withResolvers<() => void>();
    shelf = await shelfApp([], {
      httpOptions: {
        prepare: (fastify) => {
          fastify.get('/stream', (_request, reply) => {
            reply.hijack();
            reply.raw.writeHead(200, { 'content-length': '4' });
            reply.raw.write('ab');
            streaming.resolve(() => reply.raw.end('cd'));
          });
        },
      },
    });
    await shelf.start();
    const busy = await connection();
    busy.socket.write(request('/stream'));
    const finish = await streaming.promise;
    await once(busy.socket, 'data');
    const stop = stopped();
    // Ended before, it would be idle when closing begins.
    while (shelf.app.getHttpServer().listening) await setImmediate();
    finish();
    expect(await stop).toBe('by itself');
    await busy.closed;
    expect(busy.received()).toMatch(/keep-alive[^]*abcd$/i);
  });

  it('cuts off what does not end, within the limit of the whole shutdown', async () => {
    shelf = await shelfApp([], {
      timings: { shutdownMs: 4_000 },
      httpOptions: { prepare: (fastify) => void fastify.get('/never', () => new Promise(() => {})) },
    });
    await shelf.start();
    const stuck = await connection();
    stuck.socket.write(request('/never') + request('/trace'));
    await once(shelf.app.getHttpServer(), 'request');
    expect(await stopped()).toBe('cut off');
    await stuck.closed;
    expect(shelf.leftBehind).toEqual([]);
  });
});
