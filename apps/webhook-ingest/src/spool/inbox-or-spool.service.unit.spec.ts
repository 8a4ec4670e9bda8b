import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { Incoming, ReceivedBody } from '../notifications/read-notification.ts';
import { envelope } from '../../test/support/deliver.ts';
import { incoming } from '../../test/support/incoming.ts';
import type { Stored } from '../inbox/inbox.service.ts';
import { InboxOrSpool } from './inbox-or-spool.service.ts';

const SILENT = createLogger({ app: 'inbox-or-spool', level: 'silent' });

/** An inbox and a spool that behave as the test decides. */
class Stores {
  readonly inbox: ReceivedBody[] = [];
  readonly inSpool: ReceivedBody[] = [];
  inboxAnswers: 'at once' | 'never' | 'with an error' = 'at once';
  /** Number of groups that the inbox refuses before it answers. */
  failures = 0;
  spoolFails = false;
  readonly inboxOrSpool: InboxOrSpool;

  constructor(budgetMs: number) {
    const storeAll = (items: readonly Incoming[]) => this.#storeAll(items);
    this.inboxOrSpool = new InboxOrSpool({ storeAll }, this, { ingest: { inboxBudgetMs: budgetMs } }, SILENT);
  }

  get isEmpty(): boolean {
    return this.inSpool.length === 0;
  }

  get isWritable(): boolean {
    return !this.spoolFails;
  }

  async append(records: readonly ReceivedBody[]): Promise<void> {
    if (this.spoolFails) throw new Error('the disk is full');
    this.inSpool.push(...records);
  }

  async #storeAll(items: readonly Incoming[]): Promise<Stored[]> {
    if (this.inboxAnswers === 'never') return new Promise(() => {});
    if (this.inboxAnswers === 'with an error') throw new Error('away');
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('away');
    }
    this.inbox.push(...items.map(({ received }) => received));
    return items.map(() => 'stored');
  }
}

function released(budgetMs = 60_000): Stores {
  const stores = new Stores(budgetMs);
  stores.inboxOrSpool.release();
  return stores;
}

const about = (number: number): Incoming => incoming(envelope({ data: { number } }));

describe('a received body', () => {
  it('waits until it is known whether the spool holds anything', async () => {
    const stores = new Stores(60_000);
    const kept = stores.inboxOrSpool.store(incoming());
    stores.inboxOrSpool.goOnSpooling();
    stores.inboxOrSpool.release();
    expect(await kept).toBe('spooled');
  });

  it('is stored in the inbox as long as that answers', async () => {
    const { inboxOrSpool, inbox } = released();
    expect(await Promise.all([inboxOrSpool.store(incoming()), inboxOrSpool.store(incoming())])).toEqual([
      'stored',
      'stored',
    ]);
    expect(inbox).toHaveLength(2);
    expect(inboxOrSpool.isSpooling).toBe(false);
  });

  it('is stored in the inbox in two groups at once, but after earlier bodies of the same entity', async () => {
    const begun: (readonly Incoming[])[] = [];
    const ends: (() => void)[] = [];
    const storeAll = (items: readonly Incoming[]): Promise<Stored[]> => {
      const { promise, resolve } = Promise.withResolvers<Stored[]>();
      begun.push(items);
      ends.push(() => resolve(items.map(() => 'stored')));
      return promise;
    };
    const inboxOrSpool = new InboxOrSpool({ storeAll }, new Stores(0), { ingest: { inboxBudgetMs: 60_000 } }, SILENT);
    inboxOrSpool.release();
    const [first, behind, other] = [about(1), about(1), about(2)];
    const kept = [inboxOrSpool.store(first)];
    await setImmediate();
    kept.push(inboxOrSpool.store(behind), inboxOrSpool.store(other));
    await setImmediate();
    expect(begun).toEqual([[first], [other]]);
    ends[0]?.();
    await kept[0];
    expect(begun).toEqual([[first], [other], [behind]]);
    for (const end of ends) end();
    expect(await Promise.all(kept)).toEqual(['stored', 'stored', 'stored']);
  });

  it.each(['never', 'with an error'] as const)(
    'is stored in the spool, in order, if the inbox answers %s',
    async (how) => {
      const stores = released(100);
      stores.inboxAnswers = how;
      const items = Array.from({ length: 20 }, () => incoming());
      const kept = await Promise.all(items.map((item) => stores.inboxOrSpool.store(item)));
      expect(new Set(kept)).toEqual(new Set(['spooled']));
      expect(stores.inSpool).toEqual(items.map(({ received }) => received));
      expect(stores.inboxOrSpool.isSpooling).toBe(true);
    },
  );

  it('is stored in the spool until that is empty, although the inbox answers again', async () => {
    const stores = released();
    stores.inboxOrSpool.leaveInbox(new Error('away'));
    expect(await stores.inboxOrSpool.store(incoming())).toBe('spooled');
    expect(stores.inboxOrSpool.returnToInbox()).toBe(false);
    expect(await stores.inboxOrSpool.store(incoming())).toBe('spooled');
    stores.inSpool.splice(0);
    expect(stores.inboxOrSpool.returnToInbox()).toBe(true);
    expect(await stores.inboxOrSpool.store(incoming())).toBe('stored');
  });

  it('is not overtaken by the way back: while it is on its way into the spool, that is not left', async () => {
    const stores = released();
    stores.inboxOrSpool.leaveInbox(new Error('away'));
    const kept = stores.inboxOrSpool.store(incoming());
    expect(stores.inboxOrSpool.returnToInbox()).toBe(false);
    expect(await kept).toBe('spooled');
  });

  it('waits while it is held, and takes the way that is open then, in its order', async () => {
    const stores = released();
    stores.inboxOrSpool.leaveInbox(new Error('away'));
    stores.inboxOrSpool.hold();
    const items = Array.from({ length: 10 }, () => incoming());
    const kept = Promise.all(items.map((item) => stores.inboxOrSpool.store(item)));
    expect(stores.inboxOrSpool.returnToInbox()).toBe(true);
    stores.inboxOrSpool.release();
    expect(new Set(await kept)).toEqual(new Set(['stored']));
    expect(stores.inbox).toEqual(items.map(({ received }) => received));
  });

  it('is stored in the inbox if the spool fails', async () => {
    const stores = released();
    stores.spoolFails = true;
    stores.inboxOrSpool.leaveInbox(new Error('away for a moment'));
    expect(await stores.inboxOrSpool.store(incoming())).toBe('stored');
  });

  it('is tried in the inbox again after a failure there, while its budget lasts, if the spool fails', async () => {
    const stores = released();
    stores.spoolFails = true;
    stores.failures = 3;
    expect(await stores.inboxOrSpool.store(incoming())).toBe('stored');
    expect(stores.failures).toBe(0);
  });

  it.each([
    ['never', undefined],
    ['with an error', expect.objectContaining({ message: 'away' })],
  ] as const)('is kept nowhere if the spool fails and the inbox answers %s', async (how, cause) => {
    const stores = released(100);
    stores.spoolFails = true;
    stores.inboxAnswers = how;
    await expect(stores.inboxOrSpool.store(incoming())).rejects.toMatchObject({
      code: 'OUT_OF_TIME',
      message: expect.stringContaining('PostgreSQL did not answer within'),
      ...(cause !== undefined && { cause }),
    });
  });
});
