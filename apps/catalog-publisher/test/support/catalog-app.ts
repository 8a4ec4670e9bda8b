import 'reflect-metadata';
import { ScriptedPlatform } from '@gondola/local-stack/testing/scripted-platform';
import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { type PublishedRecord, TestInstallation } from '@gondola/kafka/testing/test-installation';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import type { TopicName } from '@gondola/shared/topics/topics';
import { appOptions, CONNECTIONS } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { type Hold, hold } from './hold.ts';
import { Shop } from './shop.ts';
import type { Message } from 'kafkajs';

/** Settings of one tenant of a test. */
export interface TestTenant {
  readonly id: string;
  readonly deadlines?: Record<string, number>;
  readonly catalog?: Record<string, unknown>;
  /** Overrides of the wire profile. */
  readonly profile?: Record<string, unknown>;
  readonly language?: string;
  readonly mode?: 'shadow';
}

/** A record as the ERP sends it. */
export interface TestRecord {
  readonly key?: string | null;
  readonly value: object | string | null;
  readonly headers?: Record<string, string>;
  /** It breaks the contract on purpose. */
  readonly isBad?: true;
}

/** A step that is under way would store again what it loaded before, so there may be none. */
const LAND_LOST_CALLS = `
  DO $$ BEGIN
    LOCK TABLE lanes IN EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM lanes WHERE lease_until > clock_timestamp()) THEN RAISE 'A step is under way'; END IF;
    UPDATE products SET known = regexp_replace(known, '"lostCallEndAt":"[^"]*"', '"lostCallEndAt":null');
    UPDATE value_lanes SET state = regexp_replace(state, '"lostCallEndAt":"[^"]*"', '"lostCallEndAt":null');
    UPDATE catalog_references SET lands_until = NULL;
    UPDATE lanes SET due_at = now() WHERE due_at > now();
  END $$`;

/** A call that a test holds back is not given up, however slow the machine is. */
const PATIENT = { PLATFORM_TIMEOUT_MS: '240000', LANE_LEASE_MS: '600000' };
const SKUS = 'catalog.skus.v1';
const RESULTS = 'erp.catalog.results.v1';
const OF_A_PRODUCT = { relatedEntity: 'ProductWithSKUs', eventType: 'ProductWithSKUs_Updated' };

/** The ERP's and the platform's side of one installation, with a scripted shop for each tenant. */
export class CatalogInstallation {
  readonly #shops: ReadonlyMap<string, Shop>;
  /** By tenant. */
  readonly accounts: ReadonlyMap<string, string>;

  private constructor(
    readonly platform: ScriptedPlatform,
    readonly installation: TestInstallation,
    tenants: readonly TestTenant[],
  ) {
    this.#shops = new Map(
      tenants.map(({ id }) => [id, new Shop((operationId, data) => this.notify(id, { operationId, data }))]),
    );
    this.accounts = new Map(tenants.map(({ id }, index) => [id, accountOf(index)]));
    const owners = new Map(tenants.map(({ id }, index) => [accountOf(index), id]));
    platform.onRequest = async (request) => {
      const tenant = owners.get(request.contractAccountId ?? '');
      return tenant === undefined ? { status: 401 } : this.shop(tenant).answer(request);
    };
  }

  static async create(
    label: string,
    tenants: readonly TestTenant[],
    env: Record<string, string> = {},
    /** Of another platform than the scripted one. */
    platformUrl?: string,
  ): Promise<CatalogInstallation> {
    const platform = await ScriptedPlatform.start();
    const entries = tenants.map((tenant, index) => tenantEntry(tenant, index, platformUrl ?? platform.url));
    const options = { label, tenants: entries, env: { ...PATIENT, ...env } };
    const installation = await TestInstallation.create(options, () => platform.stop());
    return new CatalogInstallation(platform, installation, tenants);
  }

  shop(tenant = 'acme'): Shop {
    return this.#shops.get(tenant)!;
  }

  /** A replica of the app in this process. */
  startApp(logLines?: string[]): Promise<RunningApp> {
    return this.installation.startApp(APP, (env, logger) => appOptions(loadConfig(env), logger), logLines);
  }

  /** Takes all connections of the app to the database that are not for urgent work; returns their release. */
  async takeConnections(): Promise<() => void> {
    const database = this.installation.running.app.get(Database, { strict: false });
    // The relay has one.
    const others = Array.from({ length: CONNECTIONS.poolSize - 1 }, () => database.connection());
    const taken = await Promise.all(others);
    return () => {
      for (const connection of taken) connection.release();
    };
  }

  /** Reads what is published; the topics must exist. */
  async readTopics(): Promise<void> {
    await this.installation.readTopics(RESULTS, SKUS);
  }

  /** Records on the topic of products in their order; a text or null is sent as it is. */
  async produce(...records: readonly TestRecord[]): Promise<void> {
    await this.produceTo('erp.catalog.products.v1', ...records);
  }

  async produceTo(topic: TopicName, ...records: readonly TestRecord[]): Promise<void> {
    const { installation } = this;
    if (!records.some(({ isBad }) => isBad)) return installation.send(topic, ...records.map(messageOf));
    for (const record of records) {
      const message = messageOf(record);
      await (record.isBad ? installation.sendBad(topic, message) : installation.send(topic, message));
    }
  }

  /** A notification as webhook-ingest would pass it on. */
  async notify(tenant: string, parts: NotificationParts): Promise<void> {
    const isFailed = parts.eventType === 'Operation_Failed';
    const topic = isFailed ? 'platform.notifications.orders.v1' : 'platform.notifications.catalog.v1';
    await this.installation.notify(tenant, [{ ...OF_A_PRODUCT, ...parts }], topic);
  }

  results(commandId?: string): readonly PublishedRecord[] {
    return commandId === undefined
      ? this.installation.published(RESULTS)
      : this.installation.results(RESULTS, commandId);
  }

  /** Waits until a record has so many results, and returns the last of them. */
  resultOf(commandId: string, count = 1): Promise<PublishedRecord> {
    return this.installation.resultOf(RESULTS, commandId, count);
  }

  /** Published snapshots of a SKU, oldest first. */
  skus(reference: string): ReadRecord[] {
    return this.installation.records(SKUS).filter(({ key }) => key?.endsWith(`/${reference}`) ?? false);
  }

  /** Waits until so much was published about a SKU, and returns the last of it. */
  async skuOf(reference: string, count = 1): Promise<ReadRecord> {
    const about = await this.installation.untilCount(`${count} of SKU ${reference}`, () => this.skus(reference), count);
    return about[count - 1]!;
  }

  deadLetters(count: number): Promise<ReadRecord[]> {
    return this.installation.deadLetters(count);
  }

  /** Waits for a condition of the test's own. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await waitFor(condition, { describe: 'a condition of the test' });
  }

  /** One statement in the app's schema. */
  query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return this.installation.query(text, values);
  }

  /** Lets the time pass in which lost calls of concluded records may still land. */
  async landLostCalls(): Promise<void> {
    await waitFor(() => this.query(LAND_LOST_CALLS).then(() => true), { describe: 'a moment without a step' });
  }

  /** Holds what a statement in the app's schema locks. */
  hold(statement: string): Promise<Hold> {
    return hold(this.installation.schemaUrl, statement);
  }

  async close(): Promise<void> {
    for (const shop of this.#shops.values()) await shop.quiet();
    await this.installation.close();
  }
}

function accountOf(index: number): string {
  return `11111111-1111-4111-8111-11111111111${index}`;
}

function tenantEntry(
  { id, deadlines, catalog, profile, language, mode }: TestTenant,
  index: number,
  baseUrl: string,
): object {
  return {
    id,
    contractAccountId: accountOf(index),
    ...(language !== undefined && { language }),
    ...(mode !== undefined && { mode }),
    platform: {
      baseUrl,
      username: `erp-${id}`,
      password: { env: 'TEST_PLATFORM_PASSWORD' },
      ...(profile !== undefined && { profile }),
    },
    ...(deadlines !== undefined && { deadlines }),
    ...(catalog !== undefined && { catalog }),
  };
}

function messageOf({ key, value, headers }: TestRecord): Message {
  const bytes = value === null || typeof value === 'string' ? value : JSON.stringify(value);
  const own = typeof value === 'object' && value !== null ? String(Reflect.get(value, 'externalReference')) : null;
  return { key: key === undefined ? own : key, value: bytes, ...(headers !== undefined && { headers }) };
}
