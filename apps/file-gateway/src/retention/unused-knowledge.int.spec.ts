import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileEntities, fileMigrations } from '../database.schema.ts';
import { NO_IMAGES } from '../platform/applied-images.ts';
import { Registry } from 'prom-client';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { OLDEST } from './clean-up.service.ts';
import { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import { InvoiceFilesRepository } from '../invoices/invoice-files.repository.ts';

describe('what Gondola knows of applied files', () => {
  let database: Database;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const schema = await createTestSchema('unused-knowledge');
    drop = () => schema.drop();
    const url = testStack().databaseUrl;
    database = new Database({ url, schema: schema.schema, entities: fileEntities, migrations: fileMigrations });
    await database.connect();
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  /** Saves three: two are unused for a year. */
  async function aYearOn(table: string, key: string, save: (id: string) => Promise<void>): Promise<void> {
    for (const id of ['1', '2', '3']) await save(id);
    await database.query(`UPDATE ${table} SET updated_at = now() - interval '366 days' WHERE ${key} <> '3'`);
  }

  it('of the images of a SKU is deleted a year after the last command about them', async () => {
    const images = new AppliedImagesRepository(database);
    const applied = { sets: [{ images: [{ order: 1, sha256: 'a' }], urls: ['u'] }], gone: ['v'] };
    await aYearOn('sku_images', 'external_reference', (sku) =>
      database.transaction((tx) => images.save(tx, 'acme', sku, applied)),
    );
    expect(await images.load('acme', '2')).toEqual(applied);
    await images.deleteOld();
    const left = await Promise.all(['1', '2', '3'].map((sku) => images.load('acme', sku)));
    expect(left).toEqual([NO_IMAGES, applied, applied]);
  });

  it('and of the rest is shown with the time since the oldest row had to go', async () => {
    await database.query(
      `INSERT INTO order_ids (tenant, order_number, order_id, seen_at) VALUES ('acme', '1', 'o', now() - interval '367 days')`,
    );
    const registry = new Registry();
    const unswept = new UnsweptRows(database, registry, { now: () => Date.now() });
    for (const [table, query] of Object.entries(OLDEST)) unswept.watch(table, query);
    await unswept.read();
    const shown = (await registry.metrics()).matchAll(/^gondola_oldest_unswept_age_seconds\{table="(\w+)"\} (.*)$/gm);
    const days = Object.fromEntries([...shown].map(([, table, age]) => [table, Math.round(Number(age) / 86_400)]));
    const none = Object.fromEntries(Object.keys(OLDEST).map((table) => [table, 0]));
    expect(days).toEqual({ ...none, order_ids: 2 });
  });

  it('of the PDF of an order is deleted a year after the last command about it', async () => {
    const files = new InvoiceFilesRepository(database);
    await aYearOn('invoice_files', 'order_id', (order) =>
      database.transaction((tx) => files.save(tx, 'acme', order, 'sha')),
    );
    expect(await files.attachedSha256('acme', '2')).toBe('sha');
    await files.deleteOld();
    const left = await Promise.all(['1', '2', '3'].map((order) => files.attachedSha256('acme', order)));
    expect(left).toEqual([null, 'sha', 'sha']);
  });
});
