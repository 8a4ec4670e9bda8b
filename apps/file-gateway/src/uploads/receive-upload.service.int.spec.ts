import { tmpdir } from 'node:os';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { png } from '../../test/support/contents.ts';
import { fileEntities, fileMigrations } from '../database.schema.ts';
import { FreeSpace } from './free-space.adapter.ts';
import { ReceiveUpload } from './receive-upload.service.ts';
import { UploadsRepository } from './uploads.repository.ts';

const QUOTA = 1_000_000;
const LARGE = 2 * QUOTA;

describe("the room of a tenant's uploads", () => {
  let schema: TestSchema;
  let database: Database;
  let receiving: ReceiveUpload;

  beforeEach(async () => {
    schema = await createTestSchema('upload-room');
    const tables = { entities: fileEntities, migrations: fileMigrations };
    const url = testStack().databaseUrl;
    database = new Database({ url, schema: schema.schema, ...tables, queryTimeoutMs: 60_000 });
    await database.connect();
    receiving = receivingWith(QUOTA, null);
  });

  afterEach(async () => {
    await database.close();
    await schema.drop();
  });

  const receivingWith = (quotaBytes: number, disk: string | null) => {
    const uploads = { keepMs: 3_600_000, maxBytes: LARGE, quotaBytes, disk };
    const repository = new UploadsRepository(database, { uploads });
    const logger = createLogger({ app: 'file-gateway', level: 'fatal' });
    return new ReceiveUpload(repository, new FreeSpace({ uploads }), { uploads }, logger);
  };

  const receive = async (content: Buffer, tenant = 'acme') => {
    const source = new Blob([new Uint8Array(content)]).stream();
    return (await receiving.receive(tenant, source)).kind;
  };

  it('is never exceeded by simultaneous uploads, and used up by them (rule 31)', async () => {
    const kinds = await Promise.all(Array.from({ length: 20 }, () => receive(png(QUOTA / 10))));
    expect(kinds.filter((kind) => kind === 'stored')).toHaveLength(10);
    expect(kinds.filter((kind) => kind === 'quota-full')).toHaveLength(10);
    expect(await receive(png(), 'beta')).toBe('stored');
  });

  it('is taken by what is still being received, and free again once that is broken off (rule 31)', async () => {
    const [arrived, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = receiving.receive(
      'acme',
      (async function* () {
        yield png(0.7 * QUOTA);
        arrived.resolve();
        await goesOn.promise;
        throw new Error('broken off');
      })(),
    );
    await arrived.promise;
    expect(await receive(png(0.6 * QUOTA))).toBe('quota-full');
    expect(await receive(png(0.1 * QUOTA))).toBe('stored');
    goesOn.resolve();
    await expect(slow).rejects.toThrow('broken off');
    expect(await receive(png(0.6 * QUOTA))).toBe('stored');
  });

  it('is used to its last byte by a content of many chunks (rule 31)', async () => {
    expect(await receive(png(QUOTA))).toBe('stored');
    expect(await receive(png(1_000))).toBe('quota-full');
  });

  it('is at most half of the space that the disk would have without them (rule 31)', async () => {
    receiving = receivingWith(Number.MAX_SAFE_INTEGER, tmpdir());
    expect(await receive(png())).toBe('stored');
    const free = await new FreeSpace({ uploads: { disk: tmpdir() } }).bytes();
    await database.query('UPDATE uploads SET size = $1', [2 * free!]);
    expect(await receive(png())).toBe('quota-full');
  });
});
