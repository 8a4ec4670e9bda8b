import { randomUUID } from 'node:crypto';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fileEntities, fileMigrations } from '../database.schema.ts';
import { UploadsRepository } from './uploads.repository.ts';

const KEEP_MS = 3_600_000;
const BOUNDS = { quotaBytes: 1_000_000, freeBytes: null };

describe("the app's tables", () => {
  let schema: TestSchema;
  let database: Database;
  let uploads: UploadsRepository;

  beforeEach(async () => {
    schema = await createTestSchema('file-tables');
    database = new Database({
      url: testStack().databaseUrl,
      schema: schema.schema,
      entities: fileEntities,
      migrations: fileMigrations,
      queryTimeoutMs: 60_000,
    });
    await database.connect();
    uploads = new UploadsRepository(database, { uploads: { keepMs: KEEP_MS } });
  });

  afterEach(async () => {
    await database.close();
    await schema.drop();
  });

  const stored = async (chunks = 1): Promise<string> => {
    const id = randomUUID();
    await uploads.begin({ id, tenant: 'acme', mediaType: 'image/png', size: chunks }, BOUNDS);
    for (let position = 0; position < chunks; position += 1)
      await uploads.addChunk(id, position, Buffer.from([position]));
    await uploads.complete(id, { sha256: 'x', size: chunks });
    return id;
  };
  it('offer no content by its hash that was judged broken, and one that was judged anew again (rule 32)', async () => {
    const id = await stored();
    expect(await uploads.findContent('acme', 'x')).toMatchObject({ uploadId: id });
    await uploads.saveVerdict(id, 'broken');
    expect(await uploads.findContent('acme', 'x')).toBeNull();
    expect(await uploads.find('acme', id)).toMatchObject({ uploadId: id });
    await uploads.saveVerdict(id, 'whole');
    expect(await uploads.findContent('acme', 'x')).toMatchObject({ uploadId: id });
  });

  const expire = (id: string) =>
    database.query(`UPDATE uploads SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
  const count = async (table: 'uploads' | 'upload_chunks'): Promise<number> => {
    const { rows } = await database.query<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${table}`);
    return rows[0]!.n;
  };

  it('go the way back that they came', async () => {
    const ofUploads = ['uploads', 'upload_chunks', 'fetched_contents', 'image_uploads'];
    const ofOthers = ['skus', 'order_ids', 'platform_failures', 'file_operations', 'sku_images', 'invoice_files'];
    const own = [...ofUploads, ...ofOthers];
    const there = async (): Promise<string[]> => {
      const text = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 AND table_name = ANY ($2)`;
      const { rows } = await database.query<{ name: string }>(text, [schema.schema, own]);
      return rows.map(({ name }) => name);
    };
    expect(await there()).toHaveLength(own.length);
    for (const _ of fileMigrations) await database.revertLastMigration();
    expect(await there()).toEqual([]);
    await database.migrate();
    expect(await there()).toHaveLength(own.length);
  });

  it('give content back as it came, in its order (rule 31)', async () => {
    const id = await stored(3);
    const chunks: Uint8Array[] = [];
    for await (const chunk of uploads.chunks(id)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0, 1, 2]));
  });

  it('lose what has expired and what was never finished, however many pieces it has (rule 31)', async () => {
    const [valid, over, long] = [await stored(), await stored(2), await stored(100)];
    await expire(over);
    await expire(long);
    const unfinished = randomUUID();
    await uploads.begin({ id: unfinished, tenant: 'acme', mediaType: 'image/png', size: 1 }, BOUNDS);
    await uploads.addChunk(unfinished, 0, Buffer.from('x'));
    await expire(unfinished);
    await uploads.deleteExpired();
    expect(await uploads.find('acme', valid)).toMatchObject({ uploadId: valid });
    expect([await count('uploads'), await count('upload_chunks')]).toEqual([1, 1]);
  });

  it('are stored while a command holds them, even past their expiry, until it releases them (rule 31)', async () => {
    const id = await stored();
    await database.transaction(async (tx) => {
      expect((await uploads.lock(tx, 'acme', [id.toUpperCase(), id])).size).toBe(2);
      await uploads.hold(tx, [id]);
      await tx.query(`UPDATE uploads SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
      // The upload is locked and will be held.
      await uploads.deleteExpired();
    });
    await uploads.deleteExpired();
    expect(await uploads.find('acme', id)).toMatchObject({ uploadId: id });
    await database.transaction((tx) => uploads.release(tx, [id]));
    expect(await uploads.find('acme', id)).toBeNull();
    await uploads.deleteExpired();
    expect(await count('upload_chunks')).toBe(0);
  });

  it('hold nothing that is expired, unfinished, unknown or of another tenant (rule 31)', async () => {
    const [over, others, unfinished] = [await stored(), await stored(), randomUUID()];
    await expire(over);
    await uploads.begin({ id: unfinished, tenant: 'acme', mediaType: 'image/png', size: 1 }, BOUNDS);
    const found = await database.transaction((tx) => uploads.lock(tx, 'acme', [over, unfinished, randomUUID(), 'x\0']));
    expect(found.size).toBe(0);
    const foreign = await database.transaction((tx) => uploads.lock(tx, 'beta', [others]));
    expect(foreign.size).toBe(0);
    expect(await uploads.complete(randomUUID(), { sha256: 'x', size: 1 })).toBeNull();
  });
});
