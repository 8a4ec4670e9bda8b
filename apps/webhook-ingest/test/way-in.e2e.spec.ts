import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deliver, envelope } from '../src/testing/deliver.ts';
import { ACME_TOKEN, IngestBench } from '../src/testing/ingest-bench.ts';
import { type IngestProcess, startIngestProcess } from '../src/testing/ingest-process.ts';
import { sized } from '../src/testing/size.ts';

const LONG_MS = 120_000;
const MEBIBYTE = 1_048_576;
const SENT_BYTES = sized(300, 1_024) * MEBIBYTE;
const HEAD = `POST /webhooks/platform HTTP/1.1\r\nHost: x\r\n`;

let bench: IngestBench;
let app: IngestProcess;
const sockets: Socket[] = [];

beforeAll(async () => {
  bench = await IngestBench.open('way-in');
  app = await startIngestProcess(bench, { REQUEST_TIMEOUT_MS: '60000' });
}, LONG_MS);

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(() => bench.close());

function dial({ url }: { url: string }): { socket: Socket; received: () => string } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const chunks: string[] = [];
  socket.setEncoding('latin1').on('data', (chunk: string) => chunks.push(chunk));
  // Who is cut off while it writes may be told so by a reset.
  socket.on('error', () => {});
  return { socket, received: () => chunks.join('') };
}

/** The most memory that the process has ever had, as Linux tells it. */
function peakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

describe('a body over the limit', () => {
  it(
    'costs no memory however long it is, and is 413 (rule 4)',
    async () => {
      for (let count = 0; count < 20; count += 1) await deliver(app, envelope());
      const before = peakBytes(app.pid);
      const { socket, received } = dial(app);
      socket.write(`${HEAD}Authorization: ${ACME_TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\n`);
      const chunk = Buffer.from(`${MEBIBYTE.toString(16)}\r\n${'x'.repeat(MEBIBYTE)}\r\n`);
      for (let sent = 0; sent < SENT_BYTES; sent += MEBIBYTE) if (!socket.write(chunk)) await once(socket, 'drain');
      socket.write('0\r\n\r\n');
      while (!received().includes('TOO_LARGE')) await once(socket, 'data');
      expect(received()).toMatch(/^HTTP\/1\.1 413 /);
      expect(peakBytes(app.pid) - before).toBeLessThan(SENT_BYTES / 2);
      expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
    },
    LONG_MS,
  );
});

describe('a sender', () => {
  it(
    'that is slow is cut off with 408, and holds nobody else up',
    async () => {
      const hasty = await bench.start({ REQUEST_TIMEOUT_MS: '3000' });
      const slow = [HEAD, `${HEAD}Authorization: ${ACME_TOKEN}\r\nContent-Length: 1000\r\n\r\n{`].map((text) => {
        const dialled = dial(hasty);
        dialled.socket.write(text);
        return { ...dialled, closed: once(dialled.socket, 'close') };
      });
      expect(await deliver(hasty, envelope())).toMatchObject({ status: 200 });
      for (const { closed, received } of slow) {
        await closed;
        expect(received()).toMatch(/^HTTP\/1\.1 408 /);
      }
    },
    LONG_MS,
  );

  it.each([
    ['headers that are too large', '/webhooks/platform', 'x'.repeat(20_000), 431],
    ['a URL that is too long', `/webhooks/platform/${'x'.repeat(20_000)}`, ACME_TOKEN, 431],
    ['a tenant in the path that none can be', `/webhooks/platform/${'x'.repeat(600)}`, ACME_TOKEN, 401],
  ])('with %s is refused', async (_what, path, authorization, status) => {
    expect(await deliver(app, envelope(), { path, authorization })).toMatchObject({ status });
  });
});
