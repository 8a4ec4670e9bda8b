import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Health } from './health.ts';
import type { RunningApp } from './create-app.ts';
import { shelfApp } from './testing/shelf-app.ts';

/** Far below the five seconds after which connections are cut off. */
const SOON_MS = 2_000;

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

async function stopped(): Promise<number> {
  const startedAt = performance.now();
  await shelf.stop();
  return performance.now() - startedAt;
}

describe('closeHttp', () => {
  it('does not wait for a connection that never asked anything, nor for one that waits for its next request', async () => {
    shelf = await shelfApp([]);
    await shelf.start();
    const silent = await connection();
    const idle = await connection();
    idle.socket.write(request('/trace'));
    await once(idle.socket, 'data');
    expect(await stopped()).toBeLessThan(SOON_MS);
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
    expect(await stop).toBeLessThan(SOON_MS);
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
    expect(await stop).toBeLessThan(SOON_MS);
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
    finish();
    expect(await stop).toBeLessThan(SOON_MS);
    await busy.closed;
    expect(busy.received()).toMatch(/keep-alive[^]*abcd$/i);
  });

  it('cuts off what does not end, within the limit of the whole shutdown', async () => {
    shelf = await shelfApp([], {
      timings: { shutdownMs: 1_000 },
      httpOptions: { prepare: (fastify) => void fastify.get('/never', () => new Promise(() => {})) },
    });
    await shelf.start();
    const stuck = await connection();
    stuck.socket.write(request('/never') + request('/trace'));
    await once(shelf.app.getHttpServer(), 'request');
    expect(await stopped()).toBeLessThan(1_000);
    await stuck.closed;
    expect(shelf.leftBehind).toEqual([]);
  });
});
