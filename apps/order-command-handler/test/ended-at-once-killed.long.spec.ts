import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KilledOrderWorker, killedOrderWorker } from './support/killed-worker.ts';
import type { LoneOrderWorker } from './support/lone-worker.ts';
import { orderData } from './support/platform-order.ts';
import type { OrderPlatform } from './support/order-platform.ts';

const ORDER = 730_001;
const WAITING = 'SELECT count(*)::int AS n FROM pg_locks WHERE relation = $1::regclass AND NOT granted';

/** The tables that the one transaction of each command writes, in their order; in each it is killed once. */
const TABLES = {
  ReleaseOrder: ['orders', 'order_facts', 'published_records', 'outbox'],
  WithdrawCommand: ['published_records', 'outbox'],
} as const;

/** Commands that call nobody end in one transaction, so that is where a process can end in the middle of them. */
describe('a worker that is killed by SIGKILL while it writes', () => {
  let killed: KilledOrderWorker['killed'];
  let platform: OrderPlatform;
  let survivor: LoneOrderWorker;

  beforeEach(async () => {
    ({ killed, platform } = await killedOrderWorker('ended-at-once-killed'));
    ({ survivor } = killed);
    await killed.start();
  });

  afterEach(() => killed.close());

  const notify = (status: number): Promise<void> =>
    survivor.storeFact({ data: orderData({ number: ORDER, status, updatedAt: '2026-11-20T10:15:00' }) });

  /** Stores commands, kills the victim where it waits to write into the table, and has the survivor go on. */
  async function killedAt(table: string, ...commands: readonly { commandId: string; command: string }[]) {
    await survivor.database.transaction(async (tx) => {
      await tx.query(`LOCK TABLE ${table} IN SHARE MODE`);
      for (const command of commands) await survivor.storeCommand({ ...command, orderNumber: ORDER });
      await waitFor(async () => (await tx.query<{ n: number }>(WAITING, [table])).rows[0]!.n > 0, {
        describe: `the victim to write into ${table}`,
      });
      await killed.kill();
    });
    await killed.takeOver();
  }

  /** Of these commands, once the survivor has ended them all. */
  async function outcomes(...commandIds: readonly string[]): Promise<string[]> {
    const open = 'SELECT count(*)::int AS n FROM commands WHERE command_id = ANY ($1) AND outcome IS NULL';
    const isEnded = async () => (await survivor.database.query<{ n: number }>(open, [commandIds])).rows[0]!.n === 0;
    await waitFor(isEnded, { describe: `the end of ${commandIds.join(', ')}` });
    const results = await survivor.results();
    return results.map(({ commandId, outcome }) => `${String(commandId)} ${String(outcome)}`).toSorted();
  }

  it.each([...TABLES.ReleaseOrder])(
    'a ReleaseOrder into %s leaves one outcome, and an order that is created once (guarantees 3, 4) (rule 8)',
    async (table) => {
      await notify(400);
      await killedAt(table, { commandId: 'r-1', command: 'ReleaseOrder' });
      expect(await outcomes('r-1')).toEqual(['r-1 applied']);
      const events = await survivor.published('erp.orders.events.v1');
      expect(events).toMatchObject([{ type: 'OrderApproved', revision: 1, cause: { kind: 'released' } }]);
      expect(platform.requests).toEqual([]);
    },
  );

  it.each([...TABLES.WithdrawCommand])(
    'a WithdrawCommand into %s leaves one outcome of it and of what it withdraws, which is never sent (rule 19)',
    async (table) => {
      platform.on.status = () => ({ status: 200, json: { operationId: '00000000-0000-4000-8000-0000000000aa' } });
      await notify(300);
      await survivor.storeCommand({ commandId: 'c-1', command: 'StartPreparation', orderNumber: ORDER });
      await waitFor(() => platform.requestsOf(ORDER, 'PATCH').length === 1, { describe: 'the PATCH' });
      const withdraws = { commandId: 'w-1', command: 'WithdrawCommand', withdraws: 'c-2' };
      await killedAt(table, { commandId: 'c-2', command: 'Ship' }, withdraws);
      expect(await outcomes('c-2', 'w-1')).toEqual(['c-2 withdrawn', 'w-1 applied']);
      expect(platform.requestsOf(ORDER, 'PATCH')).toHaveLength(1);
    },
  );
});
