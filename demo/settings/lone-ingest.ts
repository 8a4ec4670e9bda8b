// webhook-ingest alone, with settings that a day of the demo has no use for.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startChildApp } from '@gondola/local-stack/child-app';
import { ROOT } from '../play/gondola.ts';

/** A collector of traces that stores what it is sent. */
export interface Collector {
  readonly url: string;
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  close(): void;
}

/** Starts a collector of traces, OTLP over HTTP. */
export async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = [];
  const take = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    requests.push({ headers: asked.headers, body: await text(asked) });
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((asked, answer) => void take(asked, answer));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => server.close() };
}

/** Starts webhook-ingest as it is built, and returns once `readyUrl` answers. */
export function startIngest(env: Record<string, string>, logFile: string, readyUrl: string) {
  const cwd = join(ROOT, 'apps/webhook-ingest');
  return startChildApp({ name: 'webhook-ingest', args: ['dist/main.js'], cwd, env, logFile, readyUrl });
}

/** Begins a delivery of so many bytes without its last one; resolves with the status of the answer. */
export function unfinishedDelivery(url: string, token: string, bytes: number) {
  const headers = { authorization: token, 'content-type': 'application/json', 'content-length': bytes };
  const asked = request(`${url}/webhooks/platform`, { method: 'POST', headers });
  const status = new Promise<number>((resolve, reject) => {
    asked.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.once('error', reject);
  });
  asked.write(Buffer.alloc(bytes - 1, ' '));
  return { status, abort: () => asked.destroy() };
}
