import { waitFor } from '@gondola/local-stack/wait-for';
import { invoicePdf } from '../../erp/contents.ts';
import { TOPIC } from '../../erp/erp.ts';
import type { DemoContext } from '../../play/step.ts';

export const POLICY = '22222222-2222-4222-8222-222222222222';
export const STORE = 'loja-01';
const ENTITIES = ['ProductWithSKUs', 'SKUPricing', 'Warehouse', 'WarehouseSKU', 'Brand', 'Category'];

/** Event names with which the shop tells of all that a connector does. */
export const EVENTS = ['Order_Updated', 'Order_StatusUpdateFailed', 'Order_CancelFailed', 'Operation_Failed'].concat(
  ENTITIES.flatMap((entity) => ['Created', 'Updated', 'CreationFailed'].map((end) => `${entity}_${end}`)),
);

export const skuOf = (product: string) => `${product}-1`;

export function productOf(product: string): object {
  const name = `Produto ${product}`;
  const sizes = ['Freight', 'Real'].flatMap((end) =>
    ['weight', 'height', 'width', 'length'].map((side) => [`${side}For${end}`.replace('ForReal', 'Real'), 1]),
  );
  const sku = {
    externalReference: skuOf(product),
    name,
    ean: `78910000${product}1`,
    reference: product,
    unitOfMeasurement: 'Un',
    arrivalDate: '2026-01-01',
    manufacturerCode: 'FAB',
    ...Object.fromEntries(sizes),
  };
  return {
    recordId: `p-${product}`,
    externalReference: product,
    commercialPolicyId: POLICY,
    name,
    title: name,
    slug: `produto-${product}`,
    shortDescription: name,
    longDescription: name,
    punctuation: 1,
    skus: [sku],
  };
}

/** An ERP that learns of its orders from the shop alone, and asks for a step once the shop shows the one before. */
export class ShopDay {
  protected readonly context: DemoContext;

  constructor(context: DemoContext) {
    this.context = context;
  }

  /** Sends records, each under its reference. */
  async send(topic: string, values: readonly (object & { readonly externalReference?: string })[]): Promise<void> {
    await this.context.erp.send(
      topic,
      values.map((value) => ({ key: String(value.externalReference), value })),
    );
  }

  /** Brings an order of one SKU from the picking to the shopper. */
  async deliver(number: number, sku: string): Promise<void> {
    await this.#ask(number, 'StartPreparation', 400);
    const picked = { skuExternalReference: sku, outcome: 'picked', quantity: { value: '1', unit: 'Un' } };
    await this.#ask(number, 'ReportPicking', null, {
      finalOrderPrice: '10.00',
      items: [{ ...picked, unitPrice: '10.00', total: '10.00' }],
    });
    const { shop, uploads } = this.context;
    await waitFor(async () => (await shop.order(number)).totals.total === 10, { describe: `${number} picked` });
    // Gondola stores it, too; file-gateway may be killed meanwhile.
    const send = () => uploads.send(invoicePdf(`NF ${number}`), 'application/pdf').catch(() => null);
    const uploadId = await waitFor(send, { describe: 'an upload' });
    const issuedAt = new Date().toISOString();
    const invoice = { number: String(number), issuedAt, value: '10.00', pdf: { uploadId } };
    await this.#ask(number, 'RegisterInvoice', 350, invoice);
    await this.#ask(number, 'MarkReady', 500);
    await this.#ask(number, 'Ship', 600);
    await this.#ask(number, 'ConfirmDelivery', 700);
  }

  async #ask(number: number, command: string, status: number | null, more: object = {}): Promise<void> {
    const { erp, shop } = this.context;
    const value = { commandId: `${command}-${number}`, command, orderNumber: number, ...more };
    await erp.send(TOPIC.orderCommands, [{ key: String(number), value }]);
    if (status === null) return;
    await waitFor(async () => (await shop.order(number)).status === status, { describe: `${number} in ${status}` });
  }
}
