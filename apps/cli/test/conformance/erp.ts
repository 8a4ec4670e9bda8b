import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';

export interface ErpFaults {
  /** Never gets over a type that it does not know. */
  readonly stopsAtUnknownType?: boolean;
  /** Does its work again for a repeat, under a new id. */
  readonly repeats?: boolean;
  readonly hasCommas?: boolean;
  readonly hasOneId?: boolean;
  readonly hasOwnKeys?: boolean;
  readonly partition?: number;
}

const TYPES = ['OrderApproved', 'OrderChanged'];

/** A small ERP: for each approved order it starts the preparation, and it reads the results. */
export class Erp {
  /** Records in the order in which they came. */
  readonly read: { readonly id: string; readonly text: string; readonly isReplay: boolean }[] = [];
  private readonly consumer: Consumer;
  private readonly producer: Producer;
  private readonly seen = new Set<string>();
  private sent = 0;

  private readonly prefix: string;
  readonly group: string;
  private readonly faults: ErpFaults;

  constructor(brokers: string, prefix: string, group: string, faults: ErpFaults = {}) {
    this.prefix = prefix;
    this.group = group;
    this.faults = faults;
    const kafka = new Kafka({ clientId: 'erp', brokers: brokers.split(','), logLevel: logLevel.NOTHING });
    this.consumer = kafka.consumer({
      groupId: group,
      maxWaitTimeInMs: 100,
      retry: { retries: 100, initialRetryTime: 100, maxRetryTime: 200 },
    });
    this.producer = kafka.producer();
  }

  async start(): Promise<void> {
    await Promise.all([this.consumer.connect(), this.producer.connect()]);
    const topics = ['erp.orders.events.v1', 'erp.orders.results.v1', 'catalog.skus.v1'];
    await this.consumer.subscribe({ topics: topics.map((topic) => this.prefix + topic), fromBeginning: true });
    await this.consumer.run({
      eachMessage: async ({ topic, message: { value, headers = {} } }) => {
        const { ce_id: id, ce_replay: replay } = headers;
        this.read.push({ id: String(id), text: String(value), isReplay: replay !== undefined });
        if (topic.endsWith('erp.orders.events.v1')) await this.take(JSON.parse(String(value)) as Event);
      },
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.consumer.disconnect(), this.producer.disconnect()]);
  }

  private async take({ id, type, orderNumber }: Event): Promise<void> {
    const { stopsAtUnknownType, repeats, hasCommas, hasOneId, hasOwnKeys, partition } = this.faults;
    if (stopsAtUnknownType && !TYPES.includes(type)) throw new Error(`What is ${type}?`);
    if (type !== 'OrderApproved' || (this.seen.has(id) && !repeats)) return;
    this.sent += 1;
    const step = hasOneId ? 'one' : repeats ? `c-${this.sent}` : `${orderNumber}/StartPreparation`;
    const picking = { command: 'ReportPicking', finalOrderPrice: '62,75', items: [] };
    const command = { commandId: step, command: 'StartPreparation', orderNumber, ...(hasCommas && picking) };
    const message = {
      key: hasOwnKeys ? id : String(orderNumber),
      value: JSON.stringify(command),
      ...(partition !== undefined && { partition }),
    };
    await this.producer.send({ topic: `${this.prefix}erp.orders.commands.v1`, messages: [message] });
    this.seen.add(id);
  }
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly orderNumber: number;
}
