// webhook-ingest alone, with settings that a day of the demo has no use for.
import { request } from 'node:http';
import { join } from 'node:path';
import { startChildApp } from '@gondola/local-stack/child-app';
import { ROOT } from '../play/gondola.ts';

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
