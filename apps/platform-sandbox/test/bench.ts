/**
 * `npm run bench`: time of a start, of a seed and of the batch route, and the memory of a large
 * shop, with and without a journal.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@gondola/local-stack/free-port';
import { productItem, skuItem } from './support/catalog-items.ts';

const MERCHANT = {
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  username: 'erp',
  password: 'erp',
  apiKey: 'key',
};
const LARGE = { seed: 1, products: 50_000, orders: 20_000, pictures: 0 };
const LOADED = 20_000;
const BATCH = 100;
const CALLERS = 4;

interface Started {
  readonly process: ChildProcess;
  readonly url: string;
  readonly readyMs: number;
}

async function start(args: readonly string[]): Promise<Started> {
  const port = await freePort();
  const begun = performance.now();
  const main = join(import.meta.dirname, '../dist/main.js');
  const process_ = spawn(process.execPath, [main, '--port', String(port), ...args], {
    env: { ...process.env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await isReady())) await delay(5);
  return { process: process_, url, readyMs: Math.round(performance.now() - begun) };
}

async function stop({ process: process_ }: Started): Promise<void> {
  const ended = new Promise((resolve) => process_.once('exit', resolve));
  process_.kill();
  await ended;
}

async function memoryMb({ process: process_ }: Started): Promise<number> {
  const status = await readFile(`/proc/${process_.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const json = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${url} answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Products per second through the batch route, until the core has taken the last one. */
async function loadRate({ url }: Started): Promise<number> {
  await post(`${url}/admin/tenants`, MERCHANT);
  const basic = Buffer.from(`${MERCHANT.username}:${MERCHANT.password}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'x-contractAccountId': MERCHANT.contractAccountId };
  const batches = Array.from({ length: LOADED / BATCH }, (_, batch) =>
    Array.from({ length: BATCH }, (_item, index) => {
      const reference = `p${batch * BATCH + index}`;
      return productItem({
        externalReference: reference,
        slug: reference,
        skus: [skuItem({ externalReference: reference })],
      });
    }),
  );
  const begun = performance.now();
  const send = async (): Promise<void> => {
    for (let next = batches.pop(); next !== undefined; next = batches.pop())
      await post(`${url}/v1/batch/Products`, next, headers);
  };
  await Promise.all(Array.from({ length: CALLERS }, send));
  await post(`${url}/admin/idle`, { timeoutMs: 600_000 });
  return Math.round((LOADED / (performance.now() - begun)) * 1_000);
}

for (const name of ['memory', 'journal']) {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-bench-'));
  const args = name === 'journal' ? ['--data', folder] : [];
  const large = await start(args);
  const emptyMb = await memoryMb(large);
  const { ms: seedMs } = (await post(`${large.url}/admin/seed`, { ...LARGE, orders: 0 })) as { ms: number };
  await stop(large);
  await rm(folder, { recursive: true });
  const whole = await start(args);
  await post(`${whole.url}/admin/seed`, LARGE);
  const largeMb = await memoryMb(whole);
  await stop(whole);
  const again = await start(args);
  const againMs = again.readyMs;
  await stop(again);
  await rm(folder, { recursive: true, force: true });
  const loaded = await start(args);
  const rate = await loadRate(loaded);
  await stop(loaded);
  await rm(folder, { recursive: true, force: true });
  process.stdout.write(
    `${name}: ready ${large.readyMs} ms, ${emptyMb} MB; 50,000 products seeded in ${seedMs} ms; with 20,000 orders ${largeMb} MB` +
      `${name === 'journal' ? `, ready again in ${againMs} ms` : ''}; batch route ${rate} products/s\n`,
  );
}
