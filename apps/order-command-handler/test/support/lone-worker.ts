import { Attempts } from '@gondola/messaging/commands/attempts';
import { CommandReport } from '@gondola/messaging/commands/command-report';
import { Commands } from '@gondola/messaging/commands/commands';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { OrderErasuresRepository } from '@gondola/messaging/erased-orders/order-erasures.repository';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { PlatformCallReport } from '@gondola/service-kit/platform/platform-call-report';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Health } from '@gondola/service-kit/health/health';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { orderCommandQueue } from '../../src/commands/order-commands.ts';
import { Registry } from 'prom-client';
import { PublishedRecordsRepository } from '../../src/orders/published-records.repository.ts';
import { orderLane } from '../../src/facts/order-lane.ts';
import { OrderEventsMetrics } from '../../src/orders/orders.metrics.ts';
import { CallPlatform } from '../../src/lanes/call-platform.service.ts';
import { LoadOrderLanes } from '../../src/lanes/load-order-lanes.service.ts';
import { OrderLanes } from '../../src/lanes/order-lanes.service.ts';
import { OrderTenants } from '../../src/lanes/order-tenants.service.ts';
import { ReadOrder } from '../../src/lanes/read-order.service.ts';
import { SaveOrderLanes } from '../../src/lanes/save-order-lanes.service.ts';
import { SendChange } from '../../src/lanes/send-change.service.ts';
import { ORDER_COMMAND_REPORT } from '../../src/commands/order-commands.ts';
import { readNotification } from '../../src/facts/read-notification.ts';
import { OrderFactsRepository } from '../../src/facts/order-facts.repository.ts';
import { orderEntities, orderMigrations } from '../../src/database.schema.ts';
import { OrdersRepository } from '../../src/orders/orders.repository.ts';
import { PdfResultsRepository } from '../../src/pdf-results/pdf-results.repository.ts';
import { PlatformClocks } from '../../src/platform/platform-clocks.service.ts';
import { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import { SkusRepository } from '../../src/skus/skus.repository.ts';
import { notification, type NotificationParts } from '@gondola/shared/testing/notification';

export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  readonly leaseMs: number;
}

const TOPIC = 'erp.orders.commands.v1';

/** The worker of the order lanes without its consumers and its relay: what it says is found in the outbox. */
export class LoneWorker {
  readonly database: Database;
  readonly workers: LaneWorkers;
  readonly #lanes: Lanes;
  readonly #commands = new Commands();
  readonly #facts: OrderFactsRepository;
  readonly #pdfResults: PdfResultsRepository;
  readonly #clients: PlatformClients;

  constructor({ url, schema, tenantsFile, leaseMs }: LoneWorkerOptions) {
    const logger = createLogger({ app: 'order-command-handler', level: 'warn' });
    this.database = new Database({ url, schema, entities: orderEntities, migrations: orderMigrations });
    this.#lanes = new Lanes(this.database);
    const erasures = new OrderErasuresRepository(this.database);
    this.#facts = new OrderFactsRepository(this.database, erasures);
    this.#pdfResults = new PdfResultsRepository(this.database);
    const tenants = loadTenants(tenantsFile, { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test' }, ['platform']);
    const times = { leaseMs, platformTimeoutMs: 60_000, lostAnswerMs: 100 };
    this.workers = new LaneWorkers(this.#lanes, tenants, { times }, logger);
    const clock = new Clock();
    const callReport = new PlatformCallReport(new Registry(), logger);
    this.#clients = new PlatformClients(tenants, { times }, callReport, new Registry(), clock);
    const clocks = new PlatformClocks(new Registry(), new Health());
    const platform = new PlatformAdapter(this.#clients, clock, clocks, tenants);
    const report = new CommandReport(ORDER_COMMAND_REPORT, new Registry(), logger);
    const outbox = new Outbox('order-command-handler');
    const saver = new StepSaver(this.#lanes, this.#commands, outbox, { wake: () => {} }, report, clock);
    const attempts = new Attempts(this.#lanes, this.#commands, new Randomness());
    const orders = new OrdersRepository(this.database);
    const skus = new SkusRepository(this.database);
    const history = new PublishedRecordsRepository(this.database);
    const settings = new OrderTenants(tenants, {
      times,
      watch: { firstMs: 60_000, paidNoticeMs: 120_000, longestMs: 60_000 },
    });
    const own = [this.#facts, orders, skus, this.#pdfResults] as const;
    const load = new LoadOrderLanes(this.database, this.#commands, ...own, platform, settings);
    const save = new SaveOrderLanes(
      saver,
      orders,
      this.#facts,
      history,
      new OrderEventsMetrics(new Registry()),
      settings,
      this.#commands,
      erasures,
      clock,
    );
    const send = new SendChange(attempts, saver, this.#facts, platform, settings, clock);
    const read = new ReadOrder(saver, this.#facts, orders, platform, clock);
    const calls = new CallPlatform(platform, send, read, saver, settings, new Randomness(), clock);
    const consumed = { upTo: () => Infinity, ask: () => 0 };
    new OrderLanes(this.workers, load, save, calls, consumed, settings, clock).onModuleInit();
  }

  async start(): Promise<void> {
    await this.database.connect();
    await this.workers.start();
  }

  async stop(): Promise<void> {
    await this.workers.stop();
    await this.#clients.stop();
    await this.database.close();
  }

  async storeFact(tenant: string, parts: NotificationParts): Promise<void> {
    const { key, value } = notification(tenant, parts);
    const reading = readNotification(value, {
      tenant,
      id: key,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    if (reading.kind !== 'fact') throw new Error('The test notification is no fact');
    const lane = orderLane(tenant, reading.fact.orderNumber);
    await this.database.transaction(async (tx) => {
      const laneId = (await this.#lanes.wake(tx, [lane])).get(laneText(lane))!;
      await this.#facts.insert(tx, [{ ...reading.fact, laneId }]);
    });
  }

  async storeCommand(
    tenant: string,
    command: Readonly<Record<string, unknown>> & { commandId: string; command: string; orderNumber: number },
  ): Promise<void> {
    const lane = orderLane(tenant, String(command.orderNumber));
    await this.database.transaction(async (tx) => {
      const laneId = (await this.#lanes.wake(tx, [lane])).get(laneText(lane))!;
      const value = Buffer.from(JSON.stringify(command));
      const { commandId, command: name } = command;
      const item = {
        laneId,
        tenant,
        topic: TOPIC,
        commandId,
        command: name,
        queue: orderCommandQueue(name),
        contentHash: '',
        value,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      };
      await this.#commands.insert(tx, [{ ...item, topic: TOPIC }]);
    });
  }

  /** That the file gateway attached the PDF of a command. */
  async storePdfAttached(tenant: string, parentCommandId: string, orderNumber: number): Promise<void> {
    const result = { command: 'UploadInvoicePdf', outcome: 'applied', evidence: 'read-back', reason: null };
    await this.#storePdfResult(tenant, { parentCommandId, orderNumber, suffix: 'pdf', result });
  }

  /** That the file gateway found the PDF of a command good. */
  async storePdfChecked(tenant: string, parentCommandId: string, orderNumber: number): Promise<void> {
    const result = { command: 'CheckInvoicePdf', outcome: 'applied', evidence: 'none', reason: null };
    await this.#storePdfResult(tenant, { parentCommandId, orderNumber, suffix: 'chk', result });
  }

  async #storePdfResult(
    tenant: string,
    about: { parentCommandId: string; orderNumber: number; suffix: string; result: object },
  ): Promise<void> {
    const { parentCommandId, orderNumber, suffix, result } = about;
    const value = Buffer.from(JSON.stringify(result));
    await this.database.transaction(async (tx) => {
      await this.#lanes.wake(tx, [orderLane(tenant, String(orderNumber))]);
      await this.#pdfResults.insert(tx, [{ tenant, resultId: `${parentCommandId}/${suffix}`, parentCommandId, value }]);
    });
  }

  /** Records published on a topic, in order. */
  async published(topic: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.database.query<{ value: Buffer }>(
      'SELECT value FROM outbox WHERE topic = $1 ORDER BY seq',
      [topic],
    );
    return rows.map(({ value }) => JSON.parse(value.toString('utf8')) as Record<string, unknown>);
  }
}
