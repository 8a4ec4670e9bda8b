import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Store } from '../src/store/store.service.ts';
import type { Delivery } from '../src/webhooks/deliveries.service.ts';
import { productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';
import { startApp } from './support/start-app.ts';

/** Enough products for several stops. */
const COUNT = 200;

function items(): unknown[] {
  return Array.from({ length: COUNT }, (_, n) =>
    productItem({ externalReference: `p${n}`, slug: `p${n}`, skus: [skuItem({ externalReference: `p${n}-1` })] }),
  );
}

/**
 * Each product is notified as created, and stored once with its SKU. A notification is delivered once, and arrives
 * again only if an attempt was left without its answer.
 */
const ALL_ONCE = { created: COUNT, delivered: COUNT, unexplained: 0, products: COUNT };

describe('a restart during asynchronous work', () => {
  let shop: Shop;

  beforeEach(async () => {
    shop = await Shop.open({ WEBHOOK_CONCURRENCY: '2' });
  });
  afterEach(() => shop.close());

  function notifiedReferences(merchant: Merchant): string[] {
    return shop
      .envelopesOf(merchant, 'ProductWithSKUs_Created')
      .map(({ data }) => (data.product as { externalReference: string }).externalReference);
  }

  function outcome(merchant: Merchant): typeof ALL_ONCE {
    const { contractAccountId } = merchant;
    const { deliveries, products } = shop.sandbox;
    const sent = [...deliveries.table.values()].filter((one) => one.contractAccountId === contractAccountId);
    const attempts = sent.flatMap((one) => one.attempts);
    const stored = [...products.table.values()].filter((one) => one.contractAccountId === contractAccountId);
    return {
      created: new Set(notifiedReferences(merchant)).size,
      delivered: attempts.filter(({ answer }) => answer === 200).length,
      unexplained: Math.max(0, shop.envelopesOf(merchant).length - attempts.length),
      products: stored.filter(({ skuReferences }) => skuReferences.length === 1).length,
    };
  }

  /** Changes the deliveries that the stopped sandbox left, as a crash at another time would have left them. */
  async function changeStored(change: (delivery: Delivery) => Delivery): Promise<void> {
    const store = new Store({ folder: shop.dataDir, version: '1.2.3', journalMaxBytes: 1_000_000 });
    const deliveries = store.table<number, Delivery>('deliveries');
    await store.open();
    store.unit(() => {
      for (const delivery of deliveries.values()) deliveries.put(delivery.seq, change(delivery));
    });
    await store.close();
  }

  async function untilPending(count: number): Promise<void> {
    await waitFor(() => shop.sandbox.deliveries.pending === count, { describe: `${count} notifications` });
  }

  it('loses and repeats nothing after repeated stops', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, items());
    for (const notified of [2, 10, 20, 30]) {
      await waitFor(() => notifiedReferences(merchant).length >= notified, { describe: `${notified} notifications` });
      await shop.stop();
      await shop.start();
    }
    await shop.idle();
    expect(outcome(merchant)).toEqual(ALL_ONCE);
  });

  it('loses and repeats nothing with a snapshot between', async () => {
    await shop.close();
    shop = await Shop.open({ JOURNAL_MAX_BYTES: '20000' });
    const merchant = await shop.merchant();
    await shop.load(merchant, items());
    await waitFor(() => notifiedReferences(merchant).length >= COUNT / 2, { describe: 'half of the notifications' });
    await shop.stop();
    await shop.start();
    await shop.idle();
    expect(outcome(merchant)).toEqual(ALL_ONCE);
  });

  it('counts an attempt with an unknown result as made', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/sender', { paused: true });
    await shop.load(merchant, [productItem()]);
    await untilPending(1);
    await shop.stop();
    // State that a process leaves when it dies during its second attempt.
    const begun = { at: 0, seq: null, answer: null };
    await changeStored((delivery) => ({ ...delivery, attempts: [begun, begun] }));
    shop.receiver.answering = () => 500;
    await shop.start();
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(1);
    expect(await shop.admin('GET', '/dead-letters')).toMatchObject([{ attempts: 3 }]);
  });

  it('is followed by another attempt if the result of one was not stored', async () => {
    const merchant = await shop.merchant();
    const answered = Promise.withResolvers<number>();
    shop.receiver.answering = () => answered.promise;
    await shop.load(merchant, [productItem()]);
    await waitFor(() => shop.envelopesOf(merchant).length === 1, { describe: 'the notification' });
    // A crash at this time would leave this.
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-crashed-'));
    await cp(shop.dataDir, folder, { recursive: true });
    answered.resolve(200);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(1);
    const other = await startApp({ DATA_DIR: folder, HTTP_PORT: '0', LOG_LEVEL: 'error' }, undefined);
    await waitFor(() => other.deliveries.pending === 0, { describe: 'the second attempt' });
    await other.stop();
    await rm(folder, { recursive: true });
    expect(shop.envelopesOf(merchant)).toHaveLength(2);
  });

  it('delays no other notification by one whose attempts are used up', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/sender', { paused: true });
    await shop.load(merchant, items().slice(0, 3));
    await untilPending(3);
    await shop.stop();
    const made = { at: 0, seq: null, answer: null };
    await changeStored((delivery) =>
      delivery.reference === 'p2' ? delivery : { ...delivery, attempts: [made, made, made] },
    );
    await shop.start();
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(notifiedReferences(merchant)).toEqual(['p2']);
  });

  it('does later work when it is due', async () => {
    const merchant = await shop.stockedMerchant();
    await shop.admin('POST', '/switches', { cancellationMs: 500 });
    const { number } = await shop.buy(merchant);
    await shop.accepted(merchant, 'POST', `/v1/Orders/${number}/cancel`, {});
    await waitFor(() => shop.notifiedStatuses(merchant, number).includes(750), { describe: 'the beginning' });
    await shop.stop();
    await shop.start();
    await shop.idle();
    // The stop may leave the attempt of 750 without its answer, and 750 then arrives again.
    expect([...new Set(shop.notifiedStatuses(merchant, number))]).toEqual([300, 750, 800]);
  });

  it('ends only the operation at which the core fails, without a notification', async () => {
    const merchant = await shop.merchant();
    shop.sandbox.core.accept(merchant, 'unheard-of', [{}]);
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    expect(notifiedReferences(merchant)).toEqual(['4711']);
  });
});

async function idsOf(shop: Shop): Promise<string[]> {
  const merchant = await shop.merchant();
  return [await shop.load(merchant, []), await shop.load(merchant, [])];
}

describe('the seed', () => {
  it('determines the ids in a fresh folder, and gives other ones after a restart', async () => {
    const [one, two] = await Promise.all([Shop.open({ RANDOM_SEED: '7' }), Shop.open({ RANDOM_SEED: '7' })]);
    try {
      const before = await idsOf(one);
      expect(await idsOf(two)).toEqual(before);
      await one.stop();
      await one.start();
      expect(before).not.toContain((await idsOf(one))[0]);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});
