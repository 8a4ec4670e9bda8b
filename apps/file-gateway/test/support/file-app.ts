import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { goneSkuMessage, skuMessage } from '@gondola/kafka/testing/sku-message';
import { type PublishedRecord, TestInstallation } from '@gondola/kafka/testing/test-installation';
import { Database } from '@gondola/service-kit/database/database';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import { appOptions } from '../../src/app.module.ts';
import { fileEntities, fileMigrations } from '../../src/database.schema.ts';
import { AddressRule } from '../../src/fetching/host-addresses.adapter.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { ScriptedPlatform } from './scripted-platform.ts';
import { type Deadlines, OTHER_TOKEN, TENANT, tenantsOf, TOKEN } from './tenants.ts';
import type { Message } from 'kafkajs';

const RESULTS = 'erp.files.results.v1';
/** Longer than a busy server takes to answer: otherwise an answer of the platform may be lost. */
const QUERY_TIMEOUT_MS = 60_000;

export interface FileAppOptions {
  readonly env?: Record<string, string>;
  /** Deadlines of the hasty tenant. */
  readonly deadlines?: Deadlines;
  /** Hosts that every tenant may fetch content from. */
  readonly allowedHosts?: readonly string[];
  /** Replaces the two tenants of the scripted platform. */
  readonly tenants?: readonly object[];
}

/**
 * The whole app in this process, with real Kafka and PostgreSQL, a scripted platform, and the ERP's side of the
 * contract.
 */
export class FileApp {
  private constructor(
    readonly platform: ScriptedPlatform,
    readonly installation: TestInstallation,
  ) {}

  static async start(label: string, options: FileAppOptions = {}): Promise<FileApp> {
    const { env = {}, deadlines, allowedHosts } = options;
    const platform = await ScriptedPlatform.start();
    const tenants = options.tenants ?? tenantsOf(platform.url, deadlines, allowedHosts);
    const own = {
      READ_BACK_MS: '50',
      // Longer than a test holds an answer, or a busy machine decodes a picture.
      LANE_LEASE_MS: '400000',
      PLATFORM_TIMEOUT_MS: '300000',
      PLATFORM_UPLOAD_TIMEOUT_MS: '300000',
      PICTURE_CHECK_MS: '300000',
      TEST_UPLOAD_TOKEN: TOKEN,
      TEST_OTHER_TOKEN: OTHER_TOKEN,
      ...env,
    };
    const installation = await TestInstallation.create({ label, tenants, env: own }, () => platform.stop());
    await installation.startApp(APP, (variables, logger) => {
      const config = loadConfig(variables);
      const tables = { entities: fileEntities, migrations: fileMigrations };
      const database = new Database({ ...config.database, ...tables, logger, queryTimeoutMs: QUERY_TIMEOUT_MS });
      return { ...appOptions(config, logger), database };
    });
    await installation.readTopics(RESULTS);
    return new FileApp(platform, installation);
  }

  /** Uploads content as a raw body, and returns its id. */
  async upload(content: Buffer, token = TOKEN): Promise<string> {
    const response = await this.post(content, { authorization: `Bearer ${token}` });
    const { uploadId } = (await response.json()) as { uploadId: string };
    return uploadId;
  }

  async post(body: Buffer | FormData, headers: Record<string, string> = {}): Promise<Response> {
    const content = body instanceof FormData ? body : new Uint8Array(body);
    return fetch(`${this.installation.running.url}/uploads`, { method: 'POST', headers, body: content });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    return this.installation.get(path, headers);
  }

  /** Posts JSON to the operations API. */
  send(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    return this.installation.post(path, body);
  }

  /** Gives a command by the operations API. */
  give(command: unknown): Promise<{ status: number; body: unknown }> {
    return this.send('/api/commands', command);
  }

  /** Allows this local address for fetches, as if it were a host on the internet. */
  allowAddress(allowed: string): void {
    this.installation.running.app.get(AddressRule, { strict: false }).allows = (address) => address === allowed;
  }

  get database(): Database {
    return this.installation.running.app.get(Database);
  }

  /** Publishes notifications as webhook-ingest would. */
  async notify(...all: readonly NotificationParts[]): Promise<void> {
    await this.installation.notify(TENANT, all);
  }

  /** Publishes, as the catalog, that a SKU is on the platform or is deleted. */
  async publishSku(skuExternalReference: string, exists = true, tenant = TENANT): Promise<void> {
    const message = exists
      ? skuMessage(tenant, { skuExternalReference })
      : goneSkuMessage(tenant, skuExternalReference);
    await this.installation.send('catalog.skus.v1', message);
  }

  /** Publishes that a SKU is on the platform, and waits until the app knows it. */
  async knowSku(skuExternalReference: string, tenant = TENANT): Promise<void> {
    await this.publishSku(skuExternalReference, true, tenant);
    await this.until(`SKU ${skuExternalReference}`, () => this.isKnown(skuExternalReference));
  }

  async isKnown(skuExternalReference: string): Promise<boolean> {
    const text = 'SELECT 1 FROM skus WHERE external_reference = $1';
    return (await this.database.query(text, [skuExternalReference])).rows.length > 0;
  }

  /** Publishes a record on the commands topic. */
  async command(
    command: Record<string, unknown>,
    headers: Record<string, string> = { ce_tenant: TENANT },
  ): Promise<void> {
    await this.installation.send('erp.files.commands.v1', { ...commandMessage(command), headers });
  }

  /** Publishes a record that breaks the contract on purpose; a text is sent unchanged. */
  async badCommand(
    command: Record<string, unknown> | string,
    headers: Record<string, string> = { ce_tenant: TENANT },
  ): Promise<void> {
    await this.installation.sendBad('erp.files.commands.v1', { ...commandMessage(command), headers });
  }

  /** Publishes `PublishSkuImages` with uploads, the first of which is the main image. */
  async publish(sku: string, uploadIds: readonly string[], tenant = TENANT, replace = false): Promise<string> {
    const commandId = randomUUID();
    const images = uploadIds.map((uploadId, index) => ({ order: index + 1, content: { uploadId } }));
    const about = { skuExternalReference: sku, images, ...(replace && { replace }) };
    const command = { commandId, command: 'PublishSkuImages', ...about };
    await this.command(command, { ce_tenant: tenant });
    return commandId;
  }

  /** Publishes `UploadInvoicePdf` as the order saga does. */
  async attach(
    order: { number: number; id: string },
    uploadId: string,
    parent: string = randomUUID(),
    tenant = TENANT,
  ): Promise<string> {
    const commandId = `${parent}/pdf`;
    const { number: orderNumber, id: orderId } = order;
    const about = { orderNumber, orderId, content: { uploadId }, parentCommandId: parent };
    await this.command({ commandId, command: 'UploadInvoicePdf', ...about }, { ce_tenant: tenant });
    return commandId;
  }

  /** Publishes `CheckInvoicePdf` as the order saga does before it registers an invoice. */
  async check(orderNumber: number, uploadId: string, parent: string = randomUUID()): Promise<string> {
    const commandId = `${parent}/chk`;
    const about = { orderNumber, content: { uploadId }, parentCommandId: parent };
    await this.command({ commandId, command: 'CheckInvoicePdf', ...about });
    return commandId;
  }

  results(commandId: string): PublishedRecord[] {
    return this.installation.results(RESULTS, commandId);
  }

  deadLetters(): ReadRecord[] {
    return this.installation.records('dead-letters.v1');
  }

  /** Waits for the result of a command; `count` selects the first, second … result. */
  resultOf(commandId: string, count = 1): Promise<PublishedRecord> {
    return this.installation.resultOf(RESULTS, commandId, count);
  }

  deadLetter(count: number): Promise<ReadRecord[]> {
    return this.installation.deadLetters(count);
  }

  /** Waits for a test's condition. */
  async until(describe: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await this.installation.until(condition, describe);
  }

  /** Number of rows of a table. */
  async count(table: 'uploads' | 'upload_chunks' | 'platform_failures' | 'order_ids' | 'skus'): Promise<number> {
    const { rows } = await this.database.query<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${table}`);
    return rows[0]!.n;
  }

  async stop(): Promise<void> {
    await this.installation.close();
  }
}

function commandMessage(command: Record<string, unknown> | string): Message {
  if (typeof command === 'string') return { key: null, value: command };
  const key = String(command['skuExternalReference'] ?? command['orderNumber']);
  return { key, value: JSON.stringify(command) };
}
