import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Health } from '../health/health.ts';
import type { RunningApp } from '../run/create-app.ts';
import { OPERATIONS_TOKEN, shelfApp } from '../testing/shelf-app.ts';

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
  // A client whose connection is closed while it writes may see a reset.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, received: () => chunks.join(''), closed };
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/** Result of a stop: all connections closed by themselves, or were destroyed after the time limit. */
async function stopped(): Promise<'by itself' | 'cut off'> {
  const cutOff = jest.spyOn(shelf.app.getHttpServer(), 'closeAllConnections');
  await shelf.stop();
  return cutOff.mock.calls.length === 0 ? 'by itself' : 'cut off';
}

describe('closeHttp', () => {
  it('does not wait for a connection without a request', async () => {
    shelf = await shelfApp([]);
    await shelf.start();
    const silent = await connection();
    const idle = await connection();
    idle.socket.write(request('/trace'));
    await once(idle.socket, 'data');
    expect(await stopped()).toBe('by itself');
    await Promise.all([silent.closed, idle.closed]);
  });

  it('answers running requests, and closes their connections with the answer', async () => {
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

  it('reads the rest of a body, and closes its connection with the answer', async () => {
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

  it('closes a connection when it becomes idle if its response headers were sent before', async () => {
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
    // If the request ended earlier, its connection would be idle when closing begins.
    while (shelf.app.getHttpServer().listening) await setImmediate();
    finish();
    expect(await stop).toBe('by itself');
    await busy.closed;
    expect(busy.received()).toMatch(/keep-alive[^]*abcd$/i);
  });

  it('cuts off requests that do not end, within the limit of the whole shutdown', async () => {
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

/** An app that counts the requests of `/held` that were begun and answers none. */
async function holding(): Promise<{ begun: () => number }> {
  let begun = 0;
  shelf = await shelfApp([], {
    httpOptions: {
      connectionLimits: { unanswered: 10 },
      prepare: (fastify) => {
        fastify.get('/held', () => {
          begun += 1;
          return new Promise(() => {});
        });
      },
    },
  });
  await shelf.start();
  return { begun: () => begun };
}

describe('one connection', () => {
  const HEAD = 'Host: 127.0.0.1\r\n';

  it('has its requests handled one at a time, and answered in order', async () => {
    let underWay = 0;
    let most = 0;
    shelf = await shelfApp([], {
      httpOptions: {
        prepare: (fastify) => {
          fastify.get('/slow/:number', async ({ params }) => {
            underWay += 1;
            most = Math.max(most, underWay);
            await setImmediate();
            underWay -= 1;
            return `<${(params as { number: string }).number}>`;
          });
        },
      },
    });
    await shelf.start();
    const { socket, received } = await connection();
    const numbers = Array.from({ length: 10 }, (_, number) => String(number));
    socket.write(numbers.map((number) => request(`/slow/${number}`)).join(''));
    while (!received().includes('<9>')) await once(socket, 'data');
    expect(received().match(/(?<=<)\d+(?=>)/g)).toEqual(numbers);
    expect(most).toBe(1);
  });

  it('is cut off if it has too many unanswered requests, and costs one request until then', async () => {
    const { begun } = await holding();
    const greedy = await connection();
    greedy.socket.write(request('/held').repeat(30_000));
    await greedy.closed;
    expect(begun()).toBe(1);
    const other = await connection();
    other.socket.write(request('/trace'));
    await once(other.socket, 'data');
    expect(other.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may have unanswered requests up to the limit', async () => {
    const { begun } = await holding();
    const busy = await connection();
    busy.socket.write(request('/held').repeat(10));
    while (begun() === 0) await setImmediate();
    const other = await connection();
    other.socket.write(request('/trace'));
    await once(other.socket, 'data');
    expect(busy.socket.closed).toBe(false);
  });

  it('that does not read its answers gets no further ones, and is cut off', async () => {
    let made = 0;
    shelf = await shelfApp([], {
      httpOptions: {
        connectionLimits: { unreadMs: 100, checkMs: 10 },
        prepare: (fastify) => {
          fastify.get('/large', () => {
            made += 1;
            return Buffer.alloc(10_000_000);
          });
        },
      },
    });
    await shelf.start();
    const accepted = once(shelf.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const deaf = await connection();
    deaf.socket.pause();
    deaf.socket.write(request('/large').repeat(20));
    const [socket] = await accepted;
    await new Promise((resolve) => void socket.once('close', resolve));
    expect(made).toBeLessThan(3);
  });

  it.each([
    ['goes on sending', 'x'.repeat(10)],
    ['falls silent', ''],
  ])('that is answered before its body arrived, and %s, is cut off after a while', async (_what, more) => {
    shelf = await shelfApp([], {
      httpOptions: {
        // Time for the client to read its answer, on a busy machine too.
        connectionLimits: { lingerMs: 2_000, checkMs: 10 },
        prepare: (fastify) => {
          fastify.post('/refused-early', { onRequest: (_request, reply) => void reply.code(401).send('no') }, () => '');
        },
      },
    });
    await shelf.start();
    const stubborn = await connection();
    stubborn.socket.write(`POST /refused-early HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\nx`);
    const sending = setInterval(() => stubborn.socket.write(more), 20);
    await stubborn.closed;
    clearInterval(sending);
    expect(stubborn.received()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('that sends the rest of its body after the answer is kept for the next request', async () => {
    shelf = await shelfApp([], {
      httpOptions: {
        connectionLimits: { lingerMs: 60_000, checkMs: 1 },
        prepare: (fastify) => {
          fastify.post('/refused-early', { onRequest: (_request, reply) => void reply.code(401).send('no') }, () => '');
        },
      },
    });
    await shelf.start();
    const polite = await connection();
    polite.socket.write(`POST /refused-early HTTP/1.1\r\n${HEAD}Content-Length: 4\r\n\r\nx`);
    await once(polite.socket, 'data');
    polite.socket.write(`xxx${request('/trace')}`);
    while (!polite.received().includes('traceparent')) await once(polite.socket, 'data');
    expect(polite.received()).toMatch(/ 401 [^]* 200 /);
  });
});

/** Two strangers and one known sender, each after its first answer. */
async function some(): Promise<Awaited<ReturnType<typeof connection>>[]> {
  const all: Awaited<ReturnType<typeof connection>>[] = [];
  const token = `Authorization: Bearer ${OPERATIONS_TOKEN}`;
  for (const asked of [
    `GET /api/shelves HTTP/1.1\r\nHost: x\r\n${token}\r\n\r\n`,
    request('/trace'),
    request('/trace'),
  ]) {
    const each = await connection();
    each.socket.write(asked);
    await once(each.socket, 'data');
    expect(each.received()).toMatch(/^HTTP\/1\.1 200 /);
    all.push(each);
  }
  return all;
}

describe('connections of strangers', () => {
  const MOST = 3;

  it('are closed above their number, the oldest first, and never one of a known sender', async () => {
    shelf = await shelfApp([], { httpOptions: { connectionLimits: { strangers: MOST } } });
    await shelf.start();
    const [known, oldest, other] = await some();
    for (let count = 0; count < MOST - 1; count += 1) await connection();
    await oldest!.closed;
    await connection();
    await other!.closed;
    expect(known!.socket.closed).toBe(false);
    const last = await connection();
    last.socket.write(request('/trace'));
    await once(last.socket, 'data');
    expect(last.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are not closed while a whole request of theirs waits for its answer, but while its body arrives', async () => {
    const gate = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    shelf = await shelfApp([], {
      httpOptions: {
        connectionLimits: { strangers: MOST },
        prepare: (fastify) => {
          fastify.get('/slow', () => {
            begun.resolve();
            return gate.promise;
          });
        },
      },
    });
    await shelf.start();
    const waiting = await connection();
    waiting.socket.write(request('/slow'));
    await begun.promise;
    const sending = await connection();
    sending.socket.write(
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await once(shelf.app.getHttpServer(), 'request');
    for (let count = 0; count < MOST - 1; count += 1) await connection();
    await sending.closed;
    gate.resolve('answered');
    while (!waiting.received().includes('answered')) await once(waiting.socket, 'data');
    expect(waiting.received()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
