import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { productItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const KEPT = 5;

describe('the history of operations and notifications', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeEach(async () => {
    shop = await Shop.open({ HISTORY_KEPT: String(KEPT), HISTORY_SWEEP_MS: '20' });
    merchant = await shop.merchant();
  });
  afterEach(() => shop.close());

  function load(name: string, count: number): Promise<string> {
    const references = Array.from({ length: count }, (_, index) => `${name}${index}`);
    return shop.load(
      merchant,
      references.map((reference) => productItem({ externalReference: reference, slug: reference })),
    );
  }

  async function until(table: 'operations' | 'deliveries', state: string, count: number): Promise<void> {
    const { core, deliveries } = shop.sandbox;
    const rows = (): { state: string }[] => [...(table === 'operations' ? core.operations : deliveries.table).values()];
    await waitFor(() => rows().filter((row) => row.state === state).length === count, {
      describe: `${count} ${table} that are ${state}`,
    });
  }

  it('keeps the newest, with their attempts', async () => {
    await load('told', 12);
    await shop.idle();
    await until('operations', 'applied', KEPT);
    await until('deliveries', 'delivered', KEPT);
    const notified = (await shop.admin('GET', '/notifications')) as { reference: string; attempts: unknown[] }[];
    expect(notified.map(({ reference, attempts }) => [reference, attempts.length])).toEqual(
      [7, 8, 9, 10, 11].map((n) => [`told${n}`, 1]),
    );
    expect(await shop.admin('GET', '/deliveries')).toHaveLength(KEPT);
  });

  it('keeps the newest dead letters, regardless of later deliveries', async () => {
    shop.receiver.answering = () => 500;
    await load('dead', 8);
    await shop.idle();
    await until('deliveries', 'dead', KEPT);
    shop.receiver.answering = () => 200;
    await load('after', 12);
    await shop.idle();
    await until('deliveries', 'delivered', KEPT);
    expect(await shop.admin('GET', '/dead-letters')).toHaveLength(KEPT);
  });

  it('keeps the newest refusals', async () => {
    await shop.load(
      merchant,
      Array.from({ length: 12 }, (_, index) => ({ externalReference: `refused${index}` })),
    );
    await shop.idle();
    const { rejections } = shop.sandbox.notifier;
    await waitFor(() => rejections.size === KEPT, { describe: `${KEPT} refusals` });
    expect([...rejections.values()].map(({ about }) => about)).toEqual([7, 8, 9, 10, 11].map((n) => `refused${n}`));
  });

  it('never loses waiting entries', async () => {
    await shop.admin('POST', '/sender', { paused: true });
    const operationId = await load('waiting', 12);
    await until('deliveries', 'pending', 12);
    await until('operations', 'applied', KEPT);
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId)).toHaveLength(12);
  });
});
