// A merchant's ERP as Gondola's users write theirs: a plain Kafka client that knows only the topics and fields of
// the contract.
import { EventEmitter, once } from 'node:events';
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import { PriceBook } from './price-book.ts';

/** Fields of a result that this ERP reads (contract: Results). */
export interface Result {
  id: string;
  commandId: string;
  command: string;
  outcome: string;
  final: boolean;
  entity: { kind: string; externalReference?: string; orderNumber?: number };
  /** Only with `corrected`. */
  correctedOutcome?: string;
  /** Revision of the order's last published event; null before the first. */
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

/** Fields of an order event that this ERP reads (contract: Order events). */
export interface OrderEvent {
  id: string;
  type: string;
  orderNumber: number;
  revision: number;
  hold: boolean;
  /** Parts that are missing, because the event was too long for its topic. */
  cut?: string[];
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

/** Topics of the contract that this ERP writes and reads. */
export const TOPIC = {
  brands: 'erp.catalog.brands.v1',
  categories: 'erp.catalog.categories.v1',
  products: 'erp.catalog.products.v1',
  prices: 'erp.catalog.prices.v1',
  warehouses: 'erp.catalog.warehouses.v1',
  stock: 'erp.catalog.stock.v1',
  catalogResults: 'erp.catalog.results.v1',
  orderCommands: 'erp.orders.commands.v1',
  orderEvents: 'erp.orders.events.v1',
  orderResults: 'erp.orders.results.v1',
  fileCommands: 'erp.files.commands.v1',
  fileResults: 'erp.files.results.v1',
} as const;

const READ = [TOPIC.catalogResults, TOPIC.orderEvents, TOPIC.orderResults, TOPIC.fileResults];

/** The ERP of the demo. It drops repeats by `id`, as the contract requires of every consumer. */
export class Erp {
  /** Prices and stock that it sent. */
  readonly book = new PriceBook();
  /** Results by command, then by `id`. */
  private readonly results = new Map<string, Map<string, Result>>();
  /** Events by order number, then by `id`. */
  private readonly events = new Map<number, Map<string, OrderEvent>>();
  /** Emits the number of an order at each record about it. */
  private readonly arrivals = new EventEmitter().setMaxListeners(0);
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

  /** Publishes records under the entity's own key; the default partitioner chooses the partition. */
  async send(
    topic: string,
    records: readonly { key: string; value: object; headers?: Record<string, string> }[],
  ): Promise<void> {
    const messages = records.map(({ value, ...record }) => ({ ...record, value: JSON.stringify(value) }));
    await this.producer.send({ topic: this.prefix + topic, messages });
  }

  /** Results of a command or record, oldest first. */
  resultsOf(commandId: string): Result[] {
    return [...(this.results.get(commandId)?.values() ?? [])];
  }

  /** Final result of a command or record; undefined before it. */
  endOf(commandId: string): Result | undefined {
    return this.resultsOf(commandId).find(({ final }) => final);
  }

  /** Final results of all commands and records. */
  ends(): Result[] {
    return [...this.results.keys()].flatMap((commandId) => this.endOf(commandId) ?? []);
  }

  /** Events of an order, sorted by revision. */
  eventsOf(orderNumber: number): OrderEvent[] {
    const own = this.events.get(orderNumber)?.values() ?? [];
    return [...own].toSorted((one, other) => one.revision - other.revision);
  }

  /** Resolves at the next record about an order; rejects when `signal` aborts. */
  async nextAbout(orderNumber: number, signal: AbortSignal): Promise<void> {
    await once(this.arrivals, String(orderNumber), { signal });
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
      this.arrivals.emit(String(event.orderNumber));
    } else {
      const result = record as Result;
      store(this.results, result.commandId, result);
      this.arrivals.emit(String(result.entity.orderNumber));
    }
  }
}

function store<K, T extends { id: string }>(seen: Map<K, Map<string, T>>, about: K, record: T): void {
  const records = seen.get(about) ?? new Map<string, T>();
  seen.set(about, records);
  if (!records.has(record.id)) records.set(record.id, record);
}
