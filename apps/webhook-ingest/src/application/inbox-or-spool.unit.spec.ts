import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@gondola/service-kit/logger';
import type { ReceivedBody } from '../outbound/notifications.repository.ts';
import { incoming } from '../testing/incoming.ts';
import type { Incoming, Stored } from './inbox.ts';
import { InboxOrSpool } from './inbox-or-spool.ts';

/** An inbox and a spool that do what the test says. */
class Stores {
  readonly inbox: ReceivedBody[] = [];
  readonly inSpool: ReceivedBody[] = [];
  inboxAnswers: 'at once' | 'never' | 'with an error' = 'at once';
  spoolFails = false;
  readonly keeper: InboxOrSpool;

  constructor(budgetMs: number) {
    const logger = createLogger({ app: 'keeper', level: 'silent' });
    this.keeper = new InboxOrSpool({ storeAll: (items) => this.#storeAll(items), spool: this, budgetMs, logger });
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
    this.inbox.push(...items.map(({ received }) => received));
    return items.map(() => 'stored');
  }
}

function released(budgetMs = 60_000): Stores {
  const stores = new Stores(budgetMs);
  stores.keeper.release();
  return stores;
}

describe('what is received', () => {
  it('waits until it is known whether the spool holds anything', async () => {
    const stores = new Stores(60_000);
    const kept = stores.keeper.keep(incoming());
    stores.keeper.goOnSpooling();
    stores.keeper.release();
    expect(await kept).toBe('spooled');
  });

  it('goes into the inbox as long as that answers', async () => {
    const { keeper, inbox } = released();
    expect(await Promise.all([keeper.keep(incoming()), keeper.keep(incoming())])).toEqual(['stored', 'stored']);
    expect(inbox).toHaveLength(2);
    expect(keeper.isSpooling).toBe(false);
  });

  it.each(['never', 'with an error'] as const)(
    'goes into the spool when the inbox answers %s, in its order',
    async (how) => {
      const stores = released(100);
      stores.inboxAnswers = how;
      const items = Array.from({ length: 20 }, () => incoming());
      const kept = await Promise.all(items.map((item) => stores.keeper.keep(item)));
      expect(new Set(kept)).toEqual(new Set(['spooled']));
      expect(stores.inSpool).toEqual(items.map(({ received }) => received));
      expect(stores.keeper.isSpooling).toBe(true);
    },
  );

  it('goes into the spool until that is empty, though the inbox answers again', async () => {
    const stores = released();
    stores.keeper.leaveInbox(new Error('away'));
    expect(await stores.keeper.keep(incoming())).toBe('spooled');
    expect(stores.keeper.returnToInbox()).toBe(false);
    expect(await stores.keeper.keep(incoming())).toBe('spooled');
    stores.inSpool.splice(0);
    expect(stores.keeper.returnToInbox()).toBe(true);
    expect(await stores.keeper.keep(incoming())).toBe('stored');
  });

  it('is not overtaken by the way back: while it is on its way into the spool, that is not left', async () => {
    const stores = released();
    stores.keeper.leaveInbox(new Error('away'));
    const kept = stores.keeper.keep(incoming());
    expect(stores.keeper.returnToInbox()).toBe(false);
    expect(await kept).toBe('spooled');
  });

  it('waits while it is held, and takes the way that is open then, in its order', async () => {
    const stores = released();
    stores.keeper.leaveInbox(new Error('away'));
    stores.keeper.hold();
    const items = Array.from({ length: 10 }, () => incoming());
    const kept = Promise.all(items.map((item) => stores.keeper.keep(item)));
    expect(stores.keeper.returnToInbox()).toBe(true);
    stores.keeper.release();
    expect(new Set(await kept)).toEqual(new Set(['stored']));
    expect(stores.inbox).toEqual(items.map(({ received }) => received));
  });

  it('goes into the inbox when the spool fails', async () => {
    const stores = released();
    stores.spoolFails = true;
    stores.keeper.leaveInbox(new Error('away for a moment'));
    expect(await stores.keeper.keep(incoming())).toBe('stored');
  });

  it('is kept nowhere only when both fail', async () => {
    const stores = released(100);
    stores.spoolFails = true;
    stores.inboxAnswers = 'never';
    await expect(stores.keeper.keep(incoming())).rejects.toThrow('No answer within');
    stores.inboxAnswers = 'with an error';
    await expect(stores.keeper.keep(incoming())).rejects.toThrow('No answer within');
  });
});
