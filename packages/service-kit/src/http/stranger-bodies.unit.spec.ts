import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { StrangerBodies } from './stranger-bodies.ts';

const STRANGE = { bodyBytes: 100, bodyMs: 60_000, allBytes: 1_000 };
const KNOWN = { bodyBytes: 10_000, allBytes: 20_000 };

let server: FastifyInstance;
let asked: number;
let sockets: Socket[];

async function listening(strange = STRANGE): Promise<void> {
  server = fastify();
  const bodies = new StrangerBodies(
    async ({ headers }) => {
      asked += 1;
      return headers.authorization === 'known';
    },
    KNOWN,
    strange,
  );
  bodies.guard(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('text/plain', async (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.read(request, payload),
  );
  server.post('/', (request) => String((request.body as Buffer).length));
  await server.listen({ port: 0, host: '127.0.0.1' });
}

beforeEach(() => {
  asked = 0;
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

const url = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/`;

async function post(body: string | ReadableStream, authorization = 'nobody') {
  const headers = { 'content-type': 'text/plain', authorization };
  const answer = await fetch(url(), { method: 'POST', body, headers, duplex: 'half' });
  return { status: answer.status, text: await answer.text() };
}

/** A connection that says how long its body is, and sends only a part. */
async function unfinished(length: number, sent: number): Promise<Socket> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`);
  socket.write('x'.repeat(sent));
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data: Buffer) => void (text += data.toString()));
  await waitFor(() => text.includes('\r\n') || socket.closed, { describe: 'an answer' });
  return text.split('\r\n', 1)[0]!;
}

describe('bodies of strangers', () => {
  it('are taken while they are short, without a question who sends them', async () => {
    await listening();
    expect(await post('x'.repeat(100))).toEqual({ status: 200, text: '100' });
    expect(asked).toBe(0);
  });

  it('are refused unread when they are long, or do not say how long they are', async () => {
    await listening();
    expect(await answerOf(await unfinished(101, 0))).toContain('401');
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) });
    expect(await post(endless)).toMatchObject({ status: 401 });
  });

  it('are read up to their own limit from a known sender', async () => {
    await listening();
    expect(await post('x'.repeat(10_000), 'known')).toEqual({ status: 200, text: '10000' });
    expect(await post('x'.repeat(10_001), 'known')).toMatchObject({ status: 413 });
  });

  it('are bounded together: the longest of those that do not end is given up, and a whole one passes', async () => {
    await listening();
    const open = await Promise.all(Array.from({ length: 40 }, () => unfinished(100, 99)));
    const given = open.map(() => false);
    for (const [index, socket] of open.entries()) socket.on('data', () => void (given[index] = true));
    await waitFor(() => given.filter(Boolean).length === 30, { describe: '30 of 40 bodies given up' });
    expect(await post('whole')).toEqual({ status: 200, text: '5' });
    expect(given.filter(Boolean)).toHaveLength(30);
  });

  it('make room again once they were answered, however often', async () => {
    await listening();
    for (let time = 0; time < 30; time += 1) expect(await post('x'.repeat(100))).toMatchObject({ status: 200 });
  });

  it('that are slow have their connection closed', async () => {
    await listening({ ...STRANGE, bodyMs: 50 });
    const socket = await unfinished(100, 50);
    await expect(waitFor(() => socket.closed, { describe: 'a closed connection' })).resolves.toBe(true);
  });
});
