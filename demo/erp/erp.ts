// A merchant's ERP as Gondola's users write theirs: a plain Kafka client that knows the topics and fields of the contract and nothing else.
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import type { ProductRecord } from './products.ts';

/** What an ERP reads of a result (contract: Results). */
export interface Result {
  id: string;
  commandId: string;
  command: string;
  outcome: string;
  final: boolean;
  entity: { kind: string; externalReference?: string; orderNumber?: number };
  reason: { code: string; message: string; field?: string } | null;
  errors: { field: string; code: string; message: string }[];
  evidence: string;
  attempts: number;
}

/** What an ERP reads of an order event (contract: Order events). */
export interface OrderEvent {
  id: string;
  type: string;
  orderNumber: number;
  revision: number;
  status: { code: number; name: string | null };
  order: {
    totals: { total: string };
    items: { match: string; approximateWeight: { value: string; unit: string } | null }[];
  };
}

const TOPICS = {
  products: 'erp.catalog.products.v1',
  productResults: 'erp.catalog.results.v1',
  orderCommands: 'erp.orders.commands.v1',
  orderEvents: 'erp.orders.events.v1',
  orderResults: 'erp.orders.results.v1',
} as const;

/** The ERP of the demo. It drops repeats by `id`, as the contract asks of every consumer. */
export class Erp {
  readonly productResults = new Map<string, Result>();
  readonly orderEvents = new Map<string, OrderEvent>();
  readonly orderResults = new Map<string, Result>();
  private readonly producer: Producer;
  private readonly consumer: Consumer;
  private readonly prefix: string;

  constructor(brokers: string[], prefix: string, group: string) {
    const kafka = new Kafka({ clientId: 'erp', brokers, logLevel: logLevel.NOTHING });
    this.prefix = prefix;
    this.producer = kafka.producer();
    this.consumer = kafka.consumer({ groupId: group });
  }

  async connect(): Promise<void> {
    await Promise.all([this.producer.connect(), this.consumer.connect()]);
    const topics = [TOPICS.productResults, TOPICS.orderEvents, TOPICS.orderResults].map((topic) => this.prefix + topic);
    await this.consumer.subscribe({ topics, fromBeginning: true });
    await this.consumer.run({
      eachMessage: async ({ topic, message }) => this.take(topic.slice(this.prefix.length), message.value),
    });
  }

  /** Sends catalogue records keyed by their own reference; the partition is the default partitioner's. */
  async sendProducts(products: readonly ProductRecord[]): Promise<void> {
    await this.producer.send({
      topic: this.prefix + TOPICS.products,
      messages: products.map((product) => ({ key: product.externalReference, value: JSON.stringify(product) })),
    });
  }

  async sendOrderCommand(command: { commandId: string; command: string; orderNumber: number }): Promise<void> {
    await this.producer.send({
      topic: this.prefix + TOPICS.orderCommands,
      messages: [{ key: String(command.orderNumber), value: JSON.stringify(command) }],
    });
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.producer.disconnect(), this.consumer.disconnect()]);
  }

  private take(topic: string, value: Buffer | null): void {
    if (value === null) return;
    const told: unknown = JSON.parse(value.toString('utf8'));
    if (topic === TOPICS.orderEvents) keep(this.orderEvents, told as OrderEvent);
    else keep(topic === TOPICS.orderResults ? this.orderResults : this.productResults, told as Result);
  }
}

function keep<T extends { id: string }>(seen: Map<string, T>, told: T): void {
  if (!seen.has(told.id)) seen.set(told.id, told);
}
