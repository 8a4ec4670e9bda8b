import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type Column, insertRows, NewRows } from './new-rows.ts';

interface Item {
  readonly name: string;
  readonly count: number | null;
  readonly at?: Date;
  readonly content?: Uint8Array | null;
  readonly names?: readonly string[];
}

const COLUMNS: readonly Column<Item>[] = [
  ['name', 'text', ({ name }) => name],
  ['count', 'integer', ({ count }) => count],
  ['is_counted', 'boolean', ({ count }) => count !== null],
  ['at', 'timestamptz', ({ at = null }) => at],
  ['content', 'bytea', ({ content = null }) => content],
  ['names', 'text[]', ({ names = null }) => names],
];

describe('new rows', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase('new-rows');
    const columns = `place integer GENERATED ALWAYS AS IDENTITY, name text PRIMARY KEY, count integer, is_counted boolean, at timestamptz,
      content bytea, names text[]`;
    await test.database.query(`CREATE TABLE ones (${columns}); CREATE TABLE others (${columns})`);
  });
  afterAll(() => test.close());

  const stored = async (table: string) =>
    (await test.database.query(`SELECT * FROM ${table} ORDER BY place`)).rows.map(
      ({ place: _drawn, ...row }) => row as unknown,
    );

  it('have the values of every type, in their order', async () => {
    const at = new Date('2026-11-20T10:00:00.123Z');
    const content = Uint8Array.of(0, 255, 128);
    const names = ['', 'plain', 'a,b', '{c}', '"', '\\', 'NULL', 'ação'];
    await insertRows(test.database, 'ones', COLUMNS, [
      { name: 'full', count: -3, at, content, names },
      { name: 'empty', count: null },
      { name: 'none', count: 0, names: [] },
    ]);
    const nothing = { at: null, content: null, names: null };
    expect(await stored('ones')).toEqual([
      { name: 'full', count: -3, is_counted: true, at, content: Buffer.from(content), names },
      { name: 'empty', count: null, is_counted: false, ...nothing },
      { name: 'none', count: 0, is_counted: true, ...nothing, names: [] },
    ]);
  });

  it('of several tables are inserted together, and the last insert answers', async () => {
    const rows = new NewRows();
    rows.add('ones', COLUMNS, [{ name: 'third', count: 1 }], 'ON CONFLICT DO NOTHING');
    const many = Array.from({ length: 2_000 }, (_, count) => ({ name: String(count), count }));
    rows.add('others', COLUMNS, many, 'RETURNING place, count');
    const answered = await rows.insert<{ place: number; count: number }>(test.database);
    expect(answered.map(({ count }) => count)).toEqual(many.map(({ count }) => count));
    expect(answered.map(({ place }) => place)).toEqual(many.map(({ count }) => count + 1));
    expect(await stored('ones')).toContainEqual(expect.objectContaining({ name: 'third' }));
    expect(await rows.insert(test.database)).toEqual([]);
  });

  it('with a value that PostgreSQL refuses are refused together', async () => {
    const rows = [
      { name: 'good', count: 1 },
      { name: 'bad\0', count: 1 },
    ];
    await expect(insertRows(test.database, 'others', COLUMNS, rows)).rejects.toMatchObject({ code: '22021' });
    expect(await stored('others')).not.toContainEqual(expect.objectContaining({ name: 'good' }));
  });
});
