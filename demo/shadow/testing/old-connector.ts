import { setTimeout as delay } from 'node:timers/promises';
import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { invoicePdf } from '../../erp/contents.ts';
import { TOPIC } from '../../erp/erp.ts';
import type { ShopCredentials } from '../../play/sandbox-client.ts';

/** Faults that the connector has on purpose. */
export interface OldFaults {
  /** SKU whose price is sent so much later. */
  readonly latePrice: { readonly sku: string; readonly ms: number };
  /** SKU whose stock is never sent. */
  readonly lostStock: string;
  /** Product whose SKU is sent in another unit. */
  readonly wrongUnit: { readonly product: string; readonly unit: string };
  /** Order whose invoice is sent without its PDF. */
  readonly withoutPdf: number;
}

interface OldPlace {
  readonly brokers: string;
  readonly prefix: string;
  readonly shopUrl: string;
}

type Body = Record<string, unknown>;

const STATUSES: Readonly<Record<string, string>> = {
  StartPreparation: 'ORDER_BEING_PREPARED',
  MarkReady: 'READY_FOR_PICKUP_OR_DELIVERY',
  Ship: 'SHIPPED',
  ConfirmDelivery: 'DELIVERED',
};
const POLL_MS = 100;

/** Another connector on the same topics: no queue, no results, each record at once. It counts what it changes. */
export class OldConnector {
  calls = 0;
  /** Says by the time of a record, in milliseconds since 1970, whether it is left to this connector. */
  isMine: (at: number) => boolean = () => true;
  /** Failures of its calls. */
  readonly errors: unknown[] = [];
  readonly #consumer: Consumer;
  readonly #late = new Set<Promise<void>>();

  private readonly at: OldPlace;
  private readonly credentials: ShopCredentials;
  private readonly faults: { current: OldFaults };

  constructor(at: OldPlace, credentials: ShopCredentials, faults: { current: OldFaults }) {
    this.at = at;
    this.credentials = credentials;
    this.faults = faults;
    const kafka = new Kafka({ clientId: 'old', brokers: at.brokers.split(','), logLevel: logLevel.NOTHING });
    this.#consumer = kafka.consumer({ groupId: `${at.prefix}old` });
  }

  async start(): Promise<void> {
    const topics = [TOPIC.products, TOPIC.brands, TOPIC.categories, TOPIC.warehouses, TOPIC.prices, TOPIC.stock];
    await this.#consumer.connect();
    await this.#consumer.subscribe({
      topics: [...topics, TOPIC.orderCommands].map((topic) => this.at.prefix + topic),
      fromBeginning: true,
    });
    await this.#consumer.run({
      eachMessage: async ({ topic, message }) => {
        if (!this.isMine(Number(message.timestamp))) return;
        const record = JSON.parse(message.value!.toString('utf8')) as Body;
        await this.#take(topic.slice(this.at.prefix.length), record).catch((error: unknown) => this.errors.push(error));
      },
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.#late);
    await this.#consumer.disconnect();
  }

  /** Registers the shop's webhook, which no program can do twice. */
  async registerWebhook(url: string, authToken: string, eventTypes: readonly string[]): Promise<void> {
    const registration = { originType: 'Api_call', originData: 'old', url, authType: 'Bearer', authToken, eventTypes };
    await this.#change('POST', '/v1/Webhooks', registration);
  }

  async #take(topic: string, received: Body): Promise<void> {
    const record = Object.fromEntries(Object.entries(received).filter(([name]) => name !== 'recordId'));
    const { wrongUnit, latePrice, lostStock } = this.faults.current;
    if (topic === TOPIC.brands) return this.#change('POST', '/v1/batch/Brands', [record]);
    if (topic === TOPIC.categories) return this.#change('POST', '/v1/batch/Categories', [record]);
    if (topic === TOPIC.products) {
      const isWrong = record['externalReference'] === wrongUnit.product;
      const skus = (record['skus'] as Body[]).map((sku) =>
        isWrong ? { ...sku, unitOfMeasurement: wrongUnit.unit } : sku,
      );
      return this.#change('POST', '/v1/batch/Products', [{ ...record, skus }]);
    }
    if (topic === TOPIC.orderCommands) return this.#command(record as Body & { readonly orderNumber: number });
    const { externalReference: sku, data, policy, warehouse } = record as Body & { externalReference: string };
    if (topic === TOPIC.warehouses) return this.#change('POST', '/v1/batch/Warehouses', [data]);
    const skuId = await this.#skuId(sku);
    if (topic === TOPIC.stock) {
      if (sku === lostStock) return;
      return this.#change('POST', '/v1/batch/Warehouses/sku', [{ ...(data as Body), skuId, warehouseId: warehouse }]);
    }
    const send = () =>
      this.#change('POST', '/v1/batch/Pricing', [{ ...(data as Body), skuId, commercialPolicyId: policy }]);
    if (sku !== latePrice.sku) return send();
    this.#late.add(delay(latePrice.ms).then(send));
  }

  async #command({ command, orderNumber: number, ...more }: Body & { readonly orderNumber: number }): Promise<void> {
    const name = STATUSES[String(command)];
    if (name !== undefined) return this.#change('PATCH', `/v1/Orders/${number}/status`, { status: name });
    if (command === 'ReportPicking') {
      const items = (more['items'] as Body[]).map(({ skuExternalReference, quantity, unitPrice, total }) => {
        const { value, unit } = quantity as { value: string; unit: string };
        const amounts = {
          quantity: Number(value),
          unitOfMeasure: unit,
          price: Number(unitPrice),
          total: Number(total),
        };
        return { skuExternalReference, ...amounts };
      });
      return this.#change('PUT', `/v1/Orders/${number}`, { finalOrderPrice: Number(more['finalOrderPrice']), items });
    }
    const invoice = {
      number: more['number'],
      issuanceDate: more['issuedAt'],
      value: Math.round(Number(more['value']) * 100),
    };
    await this.#change('PUT', `/v1/Orders/invoiced/${number}`, invoice);
    if (number !== this.faults.current.withoutPdf) {
      const { id } = await this.#read<{ id: string }>(`/v1/Orders/${number}/webhook-payload`);
      const form = new FormData();
      form.append(
        'files',
        new Blob([new Uint8Array(invoicePdf(`old ${number}`))], { type: 'application/pdf' }),
        'old.pdf',
      );
      await this.#call('POST', `/v1/Storages/invoice/upload?orderId=${id}`, form);
    }
    await this.#change('PATCH', `/v1/Orders/${number}/status`, { status: 'ORDER_INVOICED' });
  }

  /** Waits until the product is there: a price may come first. */
  async #skuId(sku: string): Promise<string> {
    for (;;) {
      const path = `/v1/batch/Products/${sku.split('-')[0]!}`;
      const product = await this.#read<{ skus?: { externalReference: string; id: string }[] }>(path).catch(() => ({
        skus: [],
      }));
      const found = product.skus?.find(({ externalReference }) => externalReference === sku);
      if (found !== undefined) return found.id;
      await delay(POLL_MS);
    }
  }

  async #read<T>(path: string): Promise<T> {
    const response = await fetch(this.at.shopUrl + path, { headers: this.#headers() });
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}`);
    return (await response.json()) as T;
  }

  async #change(method: string, path: string, body: unknown): Promise<void> {
    await this.#call(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  async #call(method: string, path: string, body: string | FormData, more: Record<string, string> = {}): Promise<void> {
    this.calls += 1;
    const response = await fetch(this.at.shopUrl + path, { method, body, headers: { ...this.#headers(), ...more } });
    if (response.status >= 300)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  }

  #headers(): Record<string, string> {
    const { username, password, contractAccountId } = this.credentials;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    return { authorization: `Basic ${basic}`, 'x-contractaccountid': contractAccountId };
  }
}
