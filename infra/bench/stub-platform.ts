import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { notificationKey } from '@gondola/shared/topics/dedup-keys';

export type Producer = ReturnType<ReturnType<typeof createKafka>['producer']>;

interface Product {
  readonly externalReference: string;
  readonly commercialPolicyId?: string;
  readonly skus?: readonly Record<string, unknown>[];
}

const TENANT = 'bench';
const ACCOUNT = '11111111-1111-4111-8111-111111111111';
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
  readonly #server: Server;

  readonly #producer: Producer;
  readonly #topic: string;

  private constructor(producer: Producer, topic: string) {
    this.#producer = producer;
    this.#topic = topic;
    this.#server = createServer(
      { keepAliveTimeout: 600_000 },
      (request, response) => void this.#answer(request, response),
    );
  }

  static async start(producer: Producer, topic: string): Promise<StubPlatform> {
    const platform = new StubPlatform(producer, topic);
    platform.#server.listen(0, '127.0.0.1');
    await once(platform.#server, 'listening');
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
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
    await this.#producer.send({ topic: this.#topic, messages });
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
