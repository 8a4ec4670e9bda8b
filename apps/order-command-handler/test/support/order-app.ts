import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { goneSkuMessage, skuMessage } from '@gondola/kafka/testing/sku-message';
import { type PublishedRecord, TEST_ACCOUNT, TestInstallation } from '@gondola/kafka/testing/test-installation';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { Reason } from '@gondola/shared/outcomes/reason-codes';
import type { ResultParts } from '@gondola/shared/results/result';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Message } from 'kafkajs';
import { appOptions } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { LoadOrderLanes } from '../../src/lanes/load-order-lanes.service.ts';
import { statusOf } from '../../src/facts/order-state.ts';
import { pdfResultMessage } from './pdf-result-message.ts';
import { OrderPlatform } from './order-platform.ts';

const TENANT = 'acme';
const EVENTS = 'erp.orders.events.v1';
const RESULTS = 'erp.orders.results.v1';
const FILE_COMMANDS = 'erp.files.commands.v1';
/** Longer than any test: a time that none of them waits for. */
const NEVER_MS = 900_000;

/** Only tests about lost notifications want calls that nobody asked for. */
export const NO_RECOVERY = { scanEveryMs: null, quietMs: null };

const SECRET = { env: 'TEST_PLATFORM_PASSWORD' };

export interface OrderAppOptions {
  readonly commandMs?: number;
  readonly lostAnswerMs?: number;
  readonly cancelReadMs?: number;
  readonly retentionEveryMs?: number;
  /** The tenant has a key of the core service. */
  readonly hasCoreKey?: boolean;
  /** More sections of the tenant in the tenants file. */
  readonly tenant?: { readonly recovery?: object; readonly [section: string]: unknown };
}

/**
 * The whole app in this process, against real Kafka and PostgreSQL and a scripted platform, with the ERP's side at
 * hand.
 */
export class OrderApp {
  private constructor(
    readonly platform: OrderPlatform,
    readonly installation: TestInstallation,
  ) {}

  static async start(label: string, options: OrderAppOptions = {}): Promise<OrderApp> {
    const {
      commandMs = NEVER_MS,
      cancelReadMs = NEVER_MS,
      lostAnswerMs = 200,
      tenant: { recovery = {}, ...sections } = {},
    } = options;
    const platform = await OrderPlatform.start();
    const tenant = {
      id: TENANT,
      contractAccountId: TEST_ACCOUNT,
      platform: {
        baseUrl: platform.url,
        username: 'erp-one',
        password: SECRET,
        ...(options.hasCoreKey === true && { coreApiKey: SECRET }),
      },
      deadlines: { commandMs, invoiceMs: NEVER_MS },
      ...sections,
      recovery: { ...NO_RECOVERY, ...recovery },
    };
    const env = {
      LOST_ANSWER_MS: String(lostAnswerMs),
      CANCEL_READ_MS: String(cancelReadMs),
      RETENTION_EVERY_MS: String(options.retentionEveryMs ?? 60_000),
    };
    const installation = await TestInstallation.create({ label, tenants: [tenant], env }, () => platform.stop());
    const app = new OrderApp(platform, installation);
    await app.startReplica();
    await installation.readTopics(EVENTS, RESULTS, FILE_COMMANDS);
    return app;
  }

  /** One more replica of the app in this process. */
  startReplica(): Promise<RunningApp> {
    return this.installation.startApp(APP, (variables, logger) => appOptions(loadConfig(variables), logger));
  }

  /** Notifications as webhook-ingest would pass them on, all in one batch. */
  async notify(...all: readonly NotificationParts[]): Promise<void> {
    await this.installation.notify(TENANT, all);
  }

  /** A record on the topic of commands. */
  async command(command: Record<string, unknown>, headers: Record<string, string> = {}): Promise<void> {
    await this.installation.send('erp.orders.commands.v1', { ...commandMessage(command), headers });
  }

  /** A record that breaks the contract on purpose; a text is sent as it is. */
  async badCommand(command: Record<string, unknown> | string, headers: Record<string, string> = {}): Promise<void> {
    await this.installation.sendBad('erp.orders.commands.v1', { ...commandMessage(command), headers });
  }

  /** A SKU as catalog-publisher publishes it, and waits until the app has `count` of them. */
  async sku(skuExternalReference: string, more: Partial<SkuSnapshot>, count: number): Promise<void> {
    await this.#sendSku(skuMessage(TENANT, { skuExternalReference, ...more }), count);
  }

  /** A SKU that the catalog has no more, and waits until the app has `count` of them. */
  async skuGone(skuExternalReference: string, count: number): Promise<void> {
    await this.#sendSku(goneSkuMessage(TENANT, skuExternalReference), count);
  }

  /** Publishes file-gateway's result about the PDF of a command. */
  async pdfResult(parentCommandId: string, more: Pick<ResultParts, 'outcome'> & Partial<ResultParts>): Promise<void> {
    const message = pdfResultMessage(TENANT, parentCommandId, more);
    await this.installation.send('erp.files.results.v1', message);
  }

  /** The file gateway's answer to the check of a command's PDF: good, unless a reason is given. */
  async pdfChecked(
    orderNumber: number,
    parentCommandId: string,
    reason: Reason | null = null,
  ): Promise<PublishedRecord> {
    const checks = () => this.#published(FILE_COMMANDS, { commandId: `${parentCommandId}/chk` });
    const [check] = await this.installation.untilCount(`the check for ${orderNumber}`, checks, 1);
    const data = { sha256: '', size: 1, expiresAt: new Date(Date.now() + 3_600_000_000).toISOString() };
    const about = { commandId: `${parentCommandId}/chk`, command: 'CheckInvoicePdf', evidence: 'none' } as const;
    const end = reason === null ? ({ outcome: 'applied', data } as const) : ({ outcome: 'invalid', reason } as const);
    await this.pdfResult(parentCommandId, { ...about, ...end });
    return check!;
  }

  /** The uploads that the file gateway was asked for. */
  async pdfCommands(orderNumber: number, count: number): Promise<PublishedRecord[]> {
    const all = () => this.#published(FILE_COMMANDS, { orderNumber, command: 'UploadInvoicePdf' });
    return this.installation.untilCount(`${count} PDF commands`, all, count);
  }

  events(orderNumber?: number): PublishedRecord[] {
    return this.#published(EVENTS, orderNumber === undefined ? {} : { orderNumber });
  }

  results(commandId?: string): PublishedRecord[] {
    return this.#published(RESULTS, commandId === undefined ? {} : { commandId });
  }

  deadLetters(): ReadRecord[] {
    return this.installation.records('dead-letters.v1');
  }

  /** Waits until so many events of the order are published, and returns them. */
  eventsOf(orderNumber: number, count: number): Promise<PublishedRecord[]> {
    return this.installation.untilCount(`${count} events of ${orderNumber}`, () => this.events(orderNumber), count);
  }

  /** Waits until a command has so many results, and returns the last of them. */
  async resultOf(commandId: string, count = 1): Promise<PublishedRecord> {
    const results = () => this.results(commandId);
    return (await this.installation.untilCount(`${count} results of ${commandId}`, results, count))[count - 1]!;
  }

  /** Waits until so many notifications of the order are stored: a command after them is decided with them. */
  async stored(orderNumber: number, count: number): Promise<void> {
    await this.until(async () => {
      const { status, body } = await this.get(`/api/orders/${orderNumber}`);
      if (status !== 200) return false;
      const { facts } = body as { facts: { source: string }[] };
      return facts.filter(({ source }) => source === 'notification').length >= count;
    });
  }

  deadLetter(count: number): Promise<ReadRecord[]> {
    return this.installation.untilCount(`${count} dead letters`, () => this.deadLetters(), count);
  }

  get(path: string): Promise<{ status: number; body: unknown }> {
    return this.installation.get(path);
  }

  post(
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: unknown }> {
    return this.installation.post(path, body, headers);
  }

  /** Has every step wait for `work`, which gets its orders' statuses, between what it loads and what it saves. */
  betweenLoadAndSave(work: (statuses: ReadonlyMap<number, number | null>) => Promise<void>): void {
    const service = this.installation.running.app.get(LoadOrderLanes, { strict: false });
    const load = service.load.bind(service);
    service.load = async (lanes) => {
      const loaded = await load(lanes);
      await work(new Map(loaded.map(({ orderNumber, state }) => [Number(orderNumber), state && statusOf(state)])));
      return loaded;
    };
  }

  /** Waits for a condition of the test's own. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await this.installation.until(condition);
  }

  async stop(): Promise<void> {
    await this.installation.close();
  }

  #published(topic: TopicName, fields: Readonly<Record<string, unknown>>): PublishedRecord[] {
    const wanted = Object.entries(fields);
    return this.installation
      .published(topic)
      .filter(({ value }) => wanted.every(([name, field]) => value[name] === field));
  }

  async #sendSku(message: Message, count: number): Promise<void> {
    await this.installation.send('catalog.skus.v1', message);
    await this.until(async () => ((await this.get('/api/counts')).body as { skus: number }).skus === count);
  }
}

function commandMessage(command: Record<string, unknown> | string): Message {
  const isText = typeof command === 'string';
  return isText
    ? { key: null, value: command }
    : { key: String(command['orderNumber']), value: JSON.stringify(command) };
}
