import { ACCOUNT } from './tenant.ts';

const ITEMS = 16;
const DIGITS = 9;
const SKU_DIGITS = 12;
const SKU_PREFIX = '9b1de2aa-0000-4000-8000-';
/** Number of SKUs in the shop of the orders. */
export const SKUS = 2_000;
/** Order number of order 0. */
export const ORDER_ZERO = 10 ** DIGITS;

/** The platform's GUID of a SKU, from 0. */
export const skuIdOf = (sku: number): string => SKU_PREFIX + String(sku).padStart(SKU_DIGITS, '0');

const item = (line: number) => ({
  id: `7d0f3a1c-0000-4000-8000-${String(line).padStart(12, '0')}`,
  skuId: skuIdOf(line),
  ean: `789100010${String(line).padStart(4, '0')}`,
  reference: `4711-${line}`,
  unitOfMeasure: 'Kg',
  orderedQuantity: 3,
  arithmeticFactor: 0.1,
  salePrice: 39.9,
  totalPerProduct: 12.45,
  manualPrice: 12.45,
  observation: 'Fatiar bem fino, por favor; se faltar, trocar por queijo prato',
});

/**
 * Notifications of one run (12 hexadecimal digits) about orders with sixteen items, about 6 kB each: a template, so
 * that creating one costs a copy.
 */
export class OrderNotifications {
  readonly #template: Buffer;
  readonly #places: readonly number[];
  readonly #skuPlaces: readonly number[];

  constructor(run: string, { status = 300, updatedAt = '2026-11-20T10:15:00' } = {}) {
    const zeros = '0'.repeat(DIGITS);
    const text = JSON.stringify({
      operationId: `${run.slice(0, 8)}-${run.slice(8)}-4000-8000-000${zeros}`,
      contractAccountId: ACCOUNT,
      relatedEntity: 'Order',
      eventType: 'Order_Updated',
      data: {
        number: ORDER_ZERO,
        status,
        updatedAt,
        customer: { firstName: 'Cliente', lastName: 'Teste 01', email: 'cliente01@example.com' },
        items: Array.from({ length: ITEMS }, (_, line) => item(line + 1)),
      },
    });
    this.#template = Buffer.from(text);
    this.#places = [text.indexOf(`000${zeros}"`) + 3, text.indexOf(`"number":1`) + `"number":1`.length];
    this.#skuPlaces = [...text.matchAll(new RegExp(SKU_PREFIX, 'g'))].map(({ index }) => index + SKU_PREFIX.length);
  }

  /**
   * Each `number` gives another operation and another order, whose order number is `ORDER_ZERO` higher, with other
   * SKUs of the shop.
   */
  order(number: number): Buffer {
    const body = Buffer.from(this.#template);
    for (const place of this.#places) body.write(String(number).padStart(DIGITS, '0'), place);
    for (const [line, place] of this.#skuPlaces.entries()) {
      body.write(String((number * ITEMS + line) % SKUS).padStart(SKU_DIGITS, '0'), place);
    }
    return body;
  }
}
