import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { notificationKey } from '@gondola/shared/topics/dedup-keys';
import { listen } from './bench-app.ts';
import type { BenchRoom } from './bench-room.ts';
import { ACCOUNT, TENANT } from './tenant.ts';

interface Product {
  readonly externalReference: string;
  readonly commercialPolicyId?: string;
  readonly skus?: readonly Record<string, unknown>[];
}

const TOPIC = 'platform.notifications.catalog.v1';
const EVENT = 'ProductWithSKUs_Created';

/**
 * A platform with the least possible cost: it answers a batch at once, publishes its notifications to the topic
 * right after, and answers readings with the last posted product.
 */
export class StubPlatform {
  /** Time at which each price arrived, by its text. */
  readonly prices = new Map<string, number>();
  posts = 0;
  reads = 0;
  lastPostAt = 0;
  readonly #products = new Map<string, string>();
  readonly #producer: BenchRoom['producer'];

  private constructor(producer: BenchRoom['producer']) {
    this.#producer = producer;
  }

  static async start({ producer }: BenchRoom) {
    const platform = new StubPlatform(producer);
    const server = await listen((request, response) => void platform.#answer(request, response));
    return Object.assign(platform, server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { url = '' } = request;
    if (request.method === 'GET') return this.#read(decodeURIComponent(url.split('/').at(-1) ?? ''), response);
    const operationId = randomUUID();
    if (url.endsWith('/Products')) {
      this.posts += 1;
      this.lastPostAt = performance.now();
      send(response, 200, JSON.stringify(operationId));
      return await this.#report(operationId, JSON.parse(body) as Product[]);
    }
    const now = performance.now();
    for (const { price } of JSON.parse(body) as { price: string }[]) this.prices.set(price, now);
    send(response, 200, JSON.stringify({ operationId }));
  }

  #read(reference: string, response: ServerResponse): void {
    this.reads += 1;
    const product = this.#products.get(reference);
    send(response, product === undefined ? 404 : 200, product ?? '');
  }

  async #report(operationId: string, products: readonly Product[]): Promise<void> {
    const messages = products.map((product) => {
      this.#products.set(product.externalReference, JSON.stringify(readModelOf(product)));
      const data = JSON.stringify(reportOf(product));
      const key = notificationKey({
        tenant: TENANT,
        operationId,
        eventType: EVENT,
        dataBytes: Buffer.from(data),
        errorBytes: null,
      });
      const head = { operationId, contractAccountId: ACCOUNT, relatedEntity: 'ProductWithSKUs', eventType: EVENT };
      const value = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
      const headers = { ce_id: key, ce_tenant: TENANT, ce_type: `platform.${EVENT}` };
      return { key, value, headers };
    });
    await this.#producer.send({ topic: TOPIC, messages });
  }
}

function reportOf({ externalReference, skus = [] }: Product) {
  const successfulSKUs = skus.map((sku) => sku['externalReference']);
  return {
    product: { externalReference, name: externalReference, processed: true, error: null },
    skus: { total: skus.length, successful: skus.length, failed: 0, successfulSKUs, failedSKUs: [] },
    summary: { status: 'Success', processedAt: '2026-11-20T13:15:02.114Z' },
  };
}

function readModelOf({ commercialPolicyId, skus = [], ...product }: Product) {
  return {
    ...product,
    id: randomUUID(),
    commercialPoliticId: commercialPolicyId,
    active: true,
    skus: skus.map(({ unitOfMeasurement, ...sku }) => ({ ...sku, id: randomUUID(), unitOfMeasure: unitOfMeasurement })),
  };
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
