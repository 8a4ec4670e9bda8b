// A merchant's ERP as Gondola's users write theirs: a plain Kafka client that knows the topics and fields of the
// contract and nothing else.
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';

/** The fields of a result that this ERP reads (contract: Results). */
export interface Result {
  id: string;
  commandId: string;
  command: string;
  outcome: string;
  final: boolean;
  entity: { kind: string; externalReference?: string; orderNumber?: number };
  /** Of `corrected`. */
  correctedOutcome?: string;
  /** The last one that was published of the order; null before the first. */
  revision: number | null;
  finishedAt: string | null;
  reason: { code: string; message: string; field?: string } | null;
  errors: { field: string; code: string; message: string }[];
  warnings: { code: string }[];
  evidence: string;
  for?: { kind: string; externalReference: string }[];
}

/** Amounts of an order, decimal text. */
export interface OrderTotals {
  subtotal: string;
  discount: string;
  couponDiscount: string;
  giftCard: string;
  freight: string;
  total: string;
}

/** The fields of an order event that this ERP reads (contract: Order events). */
export interface OrderEvent {
  id: string;
  type: string;
  orderNumber: number;
  revision: number;
  hold: boolean;
  status: { code: number; name: string | null };
  order: {
    totals: OrderTotals;
    items: {
      match: string;
      skuExternalReference: string | null;
      orderedQuantity: number | null;
      approximateWeight: { value: string; unit: string } | null;
      net: string | null;
    }[];
  };
}

/** The topics of the contract that this ERP writes and reads. */
export const TOPIC = {
  brands: 'erp.catalog.brands.v1',
  categories: 'erp.catalog.categories.v1',
  products: 'erp.catalog.products.v1',
  catalogResults: 'erp.catalog.results.v1',
  orderCommands: 'erp.orders.commands.v1',
  orderEvents: 'erp.orders.events.v1',
  orderResults: 'erp.orders.results.v1',
  fileCommands: 'erp.files.commands.v1',
  fileResults: 'erp.files.results.v1',
} as const;

const READ = [TOPIC.catalogResults, TOPIC.orderEvents, TOPIC.orderResults, TOPIC.fileResults];

/** The ERP of the demo. It drops repeats by `id`, as the contract asks of every consumer. */
export class Erp {
  /** By command; within it, and within an order, by `id`. */
  private readonly results = new Map<string, Map<string, Result>>();
  /** By order. */
  private readonly events = new Map<number, Map<string, OrderEvent>>();
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
    await this.consumer.subscribe({ topics: READ.map((topic) => this.prefix + topic), fromBeginning: true });
    await this.consumer.run({
      eachMessage: async ({ topic, message }) => this.take(topic.slice(this.prefix.length), message.value),
    });
  }

  /** Sends records under the entity's own key; the partition is the default partitioner's. */
  async send(topic: string, records: readonly { key: string; value: object }[]): Promise<void> {
    const messages = records.map(({ key, value }) => ({ key, value: JSON.stringify(value) }));
    await this.producer.send({ topic: this.prefix + topic, messages });
  }

  /** The results of a command or record, oldest first. */
  resultsOf(commandId: string): Result[] {
    return [...(this.results.get(commandId)?.values() ?? [])];
  }

  /** How a command or record ended; undefined while it has not. */
  endOf(commandId: string): Result | undefined {
    return this.resultsOf(commandId).find(({ final }) => final);
  }

  /** The events of an order in the order of their revisions. */
  eventsOf(orderNumber: number): OrderEvent[] {
    const own = this.events.get(orderNumber)?.values() ?? [];
    return [...own].toSorted((one, other) => one.revision - other.revision);
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.producer.disconnect(), this.consumer.disconnect()]);
  }

  private take(topic: string, value: Buffer | null): void {
    if (value === null) return;
    const record: unknown = JSON.parse(value.toString('utf8'));
    if (topic === TOPIC.orderEvents) {
      const event = record as OrderEvent;
      store(this.events, event.orderNumber, event);
    } else {
      const result = record as Result;
      store(this.results, result.commandId, result);
    }
  }
}

function store<K, T extends { id: string }>(seen: Map<K, Map<string, T>>, about: K, record: T): void {
  const records = seen.get(about) ?? new Map<string, T>();
  seen.set(about, records);
  if (!records.has(record.id)) records.set(record.id, record);
}
