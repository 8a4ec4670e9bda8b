import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxProcess } from '@gondola/local-stack/sandbox-process';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Bench } from './bench.ts';
import { median } from './contest.ts';

const PRODUCTS = 500;
const NOTIFICATIONS = 3_000;
const ROUNDS = 3;
const BATCH_TARGET_SECONDS = 10;
const TARGET_PER_SECOND = 1_000;
const LIMIT_MS = 300_000;
const PASSWORD = 'password';

/**
 * Speed of the sandbox: a batch of 500 products until the last one is notified, and waiting notifications to a
 * receiver that answers at once.
 */
export const sandboxBench: Bench = {
  name: 'sandbox',
  run: async ({ databaseUrl }, say) => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-'));
    const receiver = new Receiver();
    await receiver.listen();
    const logFile = join(folder, 'sandbox.log');
    const sandbox = await startSandboxProcess({ databaseUrl, databaseSchema: 'bench_sandbox', logFile });
    try {
      const shop = new Shop(sandbox.url);
      await shop.open(receiver.url);
      const seconds = await rounds(async (round) => {
        const heard = receiver.hears(PRODUCTS);
        const startedAt = performance.now();
        await shop.load(Array.from({ length: PRODUCTS }, (_, index) => product(`${round}-${index}`)));
        await heard;
        return (performance.now() - startedAt) / 1_000;
      });
      say(
        `${PRODUCTS} products in one batch, stored and notified: ${seconds.toFixed(1)} s, median of ${ROUNDS} after one to warm up`,
      );
      const perSecond = await rounds(async () => {
        await shop.admin('sender', { paused: true });
        await shop.load(
          Array.from({ length: NOTIFICATIONS }, (_, index) => ({
            externalReference: `0-${index % PRODUCTS}`,
            punctuation: index,
          })),
        );
        await waitFor(async () => (await shop.waitingOperations()) === 0, {
          describe: 'the core',
          timeoutMs: LIMIT_MS,
        });
        const heard = receiver.hears(NOTIFICATIONS);
        const startedAt = performance.now();
        await shop.admin('sender', { paused: false });
        await heard;
        return NOTIFICATIONS / ((performance.now() - startedAt) / 1_000);
      });
      say(
        `notifications to a receiver that answers at once: ${Math.round(perSecond)}/s, median of ${ROUNDS} after one to warm up`,
      );
      return [
        {
          what: `a batch of ${PRODUCTS} within ${BATCH_TARGET_SECONDS} s`,
          measured: BATCH_TARGET_SECONDS / seconds,
          target: 1,
          atLeast: null,
        },
        {
          what: `${TARGET_PER_SECOND} notifications/s`,
          measured: perSecond / TARGET_PER_SECOND,
          target: 1,
          atLeast: null,
        },
      ];
    } finally {
      await sandbox.stop();
      await receiver.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** Median of the rounds after a warm-up round. */
async function rounds(measure: (round: number) => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) figures.push(await measure(round));
  return median(figures.slice(1));
}

/** Answers every delivery at once. */
class Receiver {
  readonly #server: Server;
  #count = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #reached: () => void = () => {};

  constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      request.once('end', () => {
        response.writeHead(200).end();
        this.#count += 1;
        if (this.#count >= this.#wanted) this.#reached();
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Resolves after so many further deliveries. */
  hears(count: number): Promise<void> {
    this.#wanted = this.#count + count;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Calls of one merchant and of the admin API. */
class Shop {
  readonly #url: string;
  readonly #account = randomUUID();

  constructor(url: string) {
    this.#url = url;
  }

  async open(hook: string): Promise<void> {
    const credentials = { username: 'erp', password: PASSWORD, apiKey: 'key' };
    await this.admin('tenants', { contractAccountId: this.#account, ...credentials });
    const eventTypes = ['ProductWithSKUs_Created', 'ProductWithSKUs_Updated'];
    await this.#post('/v1/Webhooks', { originType: 'Api_call', originData: 'bench', url: hook, eventTypes });
  }

  async load(items: readonly object[]): Promise<void> {
    await this.#post('/v1/batch/Products', items);
  }

  async waitingOperations(): Promise<number> {
    const response = await this.#call('/admin/idle', { timeoutMs: 0 });
    return ((await response.json()) as { waitingOperations: number }).waitingOperations;
  }

  async admin(path: string, body: object): Promise<void> {
    await this.#post(`/admin/${path}`, body);
  }

  async #post(path: string, body: object): Promise<void> {
    const response = await this.#call(path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
  }

  #call(path: string, body: object): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`erp:${PASSWORD}`).toString('base64')}`;
    const headers = { authorization, 'x-contractAccountId': this.#account, 'content-type': 'application/json' };
    return fetch(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}

function product(externalReference: string): object {
  return {
    externalReference,
    commercialPolicyId: '6f1c0a4e-6f0e-4c3a-9b7e-0d5f4a1b2c3d',
    name: 'Queijo Minas Frescal',
    slug: externalReference,
    title: 'Queijo Minas Frescal',
    shortDescription: 'Frescal',
    longDescription: 'Queijo minas frescal, peça',
    punctuation: 10,
    skus: [sku(`${externalReference}-1`)],
  };
}

function sku(externalReference: string): object {
  const measures = ['weight', 'height', 'width', 'length'].flatMap((name) => [`${name}ForFreight`, `${name}Real`]);
  return {
    externalReference,
    name: 'Queijo',
    ean: '7891000100103',
    reference: externalReference,
    unitOfMeasurement: 'Kg',
    arithmeticFactor: 0.1,
    arrivalDate: '2026-01-31',
    manufacturerCode: 'QMF-1',
    ...Object.fromEntries(measures.map((name) => [name, 1])),
  };
}
