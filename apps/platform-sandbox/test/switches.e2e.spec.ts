import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem } from '../src/testing/catalog-items.ts';
import { Shop } from '../src/testing/shop.ts';

/** What the platform's document leaves open, each in its default and in another position (NOT-SHOWN.md). */
describe('the switches', () => {
  let shop: Shop;
  let defaults: unknown;

  beforeAll(async () => {
    shop = await Shop.open();
    defaults = await shop.admin('GET', '/switches');
  });
  afterEach(async () => {
    await shop.admin('POST', '/switches', defaults);
  });
  afterAll(() => shop.close());

  it('are kept over a restart and not over a reset; those that are not named stay', async () => {
    await shop.admin('POST', '/switches', { authorization: 'with-scheme' });
    await shop.stop();
    await shop.start();
    const changed = await shop.admin('POST', '/switches', { refundsByItself: true });
    expect(changed).toEqual({ ...(defaults as object), authorization: 'with-scheme', refundsByItself: true });
    await shop.admin('POST', '/reset');
    expect(await shop.admin('GET', '/switches')).toEqual(defaults);
  });

  it.each([
    ['as-sent', 'a-token'],
    ['with-scheme', 'Bearer a-token'],
  ])('authorization %s: a delivery carries %j', async (authorization, header) => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/switches', { authorization });
    const operationId = await shop.load(merchant, [productItem()]);
    await shop.idle();
    const webhook = shop.receiver.received.find(({ envelope }) => envelope.operationId === operationId);
    expect(webhook?.headers.authorization).toBe(header);
  });
});
