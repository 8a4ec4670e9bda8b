import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';

import { copyRows, idArray } from './copy-rows.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let test: TestDatabase;
let connection: PoolClient;

beforeAll(async () => {
  test = await openTestDatabase('copy_rows');
  connection = await test.database.connection();
});

afterAll(async () => {
  connection.release();
  await test.close();
});

describe('copyRows', () => {
  it('reads bytes as bytes, text as UTF-8, and distinguishes null from empty', async () => {
    const select = `SELECT '\\x00ff80'::bytea, 'ação', NULL::bytea, ''::text`;
    const bytes = [Buffer.from([0, 255, 128]), Buffer.from('ação'), null, Buffer.alloc(0)];
    expect(await copyRows(connection, select)).toEqual([bytes]);
  });

  it('returns no row if there is none', async () => {
    expect(await copyRows(connection, 'SELECT 1::text WHERE false')).toEqual([]);
  });

  it('returns many rows of any size in order, each with its own bytes', async () => {
    const select = `SELECT n::text, convert_to(repeat(chr(97 + n % 26), n * 5), 'UTF8') FROM generate_series(0, 2000) AS series (n) ORDER BY series.n`;
    const rows = await copyRows(connection, select);
    const expected = Array.from({ length: 2_001 }, (_, n) => String.fromCodePoint(97 + (n % 26)).repeat(n * 5));
    expect(rows.map(([n]) => Number(n))).toEqual(expected.map((_, n) => n));
    expect(rows.every(([, value], n) => String(value) === expected[n])).toBe(true);
  });

  it('runs the given statement first, and both in one transaction', async () => {
    await test.database.query('CREATE TABLE numbers (n integer)');
    const insert = 'INSERT INTO numbers VALUES (1);';
    expect(await copyRows(connection, 'SELECT n::text FROM numbers', insert)).toHaveLength(1);
    await expect(copyRows(connection, `SELECT (1 / (n - 1))::text FROM numbers`, insert)).rejects.toThrow('division');
    expect(await copyRows(connection, 'SELECT n::text FROM numbers')).toHaveLength(1);
  });

  it('fails like any query on a broken connection', async () => {
    const doomed = await test.database.connection();
    const ended = new Promise((resolve) => doomed.once('end', resolve));
    const { rows } = await doomed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await test.database.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    await ended;
    await expect(copyRows(doomed, 'SELECT 1::text')).rejects.toThrow(/queryable|terminated/);
    doomed.release(true);
  });
});

describe('idArray', () => {
  it('accepts only whole numbers', () => {
    expect(idArray(['1', '9007199254740993'])).toBe('ARRAY[1,9007199254740993]::bigint[]');
    expect(idArray([])).toBe('ARRAY[]::bigint[]');
    expect(() => idArray(['1]; DROP TABLE outbox'])).toThrow('BigInt');
  });
});
