import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orderData } from '../support/platform-order.ts';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { LoneOrderWorker } from '../support/lone-worker.ts';

/** First argument from `npm run bench -- orders`, as JSON. */
interface OrderStepsOptions {
  readonly databaseUrl: string;
}

/** How many facts the orders of a round have to begin with. */
interface Round {
  readonly facts: number;
  /** Notifications of a round; each is one event. */
  readonly notifications: number;
}

const SCHEMA = 'bench_orders';
const TENANT = 'acme';
const ORDERS = 4;
const TENANTS = {
  tenants: [
    {
      id: TENANT,
      contractAccountId: '11111111-1111-4111-8111-111111111111',
      // Nothing is called: the orders have no commands and stay within their limits.
      platform: { baseUrl: 'http://127.0.0.1:9', username: 'erp', password: { env: 'TEST_PLATFORM_PASSWORD' } },
    },
  ],
};

/**
 * A process that at each message gives orders with so many facts some notifications more, and answers with the
 * milliseconds until their events are in the outbox.
 */
await serve(JSON.parse(process.argv[2] ?? '') as OrderStepsOptions);

async function serve({ databaseUrl }: OrderStepsOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-orders-'));
  const tenantsFile = join(folder, 'tenants.json');
  await writeFile(tenantsFile, JSON.stringify(TENANTS));
  const worker = await LoneOrderWorker.create({ url: databaseUrl, schema: SCHEMA, tenantsFile, tenant: TENANT });
  await worker.start();
  const numbersOf = new Map<number, readonly number[]>();
  const secondOf = new Map<number, number>();
  process.on('message', (round: Round) => void answer(round));
  process.on('disconnect', () => void worker.stop().then(() => rm(folder, { recursive: true })));

  async function answer({ facts, notifications }: Round): Promise<void> {
    const numbers = numbersOf.get(facts) ?? (await prepared(facts));
    numbersOf.set(facts, numbers);
    const startedAt = performance.now();
    for (let round = 0; round < notifications / numbers.length; round += 1) {
      const before = await events();
      await Promise.all(numbers.map((number) => notify(number, round % 2 === 0 ? 500 : 600)));
      await untilEvents(before + numbers.length);
    }
    process.send?.(performance.now() - startedAt);
  }

  /** Orders of which so many facts are stored and published. */
  async function prepared(facts: number): Promise<readonly number[]> {
    const numbers = Array.from({ length: ORDERS }, (_, index) => facts * 1_000 + index);
    await Promise.all(
      numbers.map(async (number) => {
        for (let fact = 0; fact < facts; fact += 1) await notify(number, 300);
      }),
    );
    const before = await events();
    await Promise.all(numbers.map((number) => notify(number, 400)));
    await untilEvents(before + numbers.length);
    return numbers;
  }

  async function notify(number: number, status: number): Promise<void> {
    const second = (secondOf.get(number) ?? 0) + 1;
    secondOf.set(number, second);
    const at = new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1_000).toISOString().slice(0, 19);
    await worker.storeFact({ data: orderData({ number, status, updatedAt: at }) });
    worker.get(LaneWorkers).wake();
  }

  async function events(): Promise<number> {
    const { rows } = await worker.database.query<{ events: number }>('SELECT count(*)::int AS events FROM outbox');
    return rows[0]!.events;
  }

  async function untilEvents(count: number): Promise<void> {
    while ((await events()) < count) await new Promise((resolve) => setImmediate(resolve));
  }
}
