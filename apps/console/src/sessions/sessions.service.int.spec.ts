import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { HOUR_MS, MINUTE_MS } from '@gondola/shared/durations';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ActionsRepository } from '../actions/actions.repository.ts';
import { consoleEntities, consoleMigrations } from '../database.schema.ts';
import { Operators } from '../operators/operators.service.ts';
import { Sessions } from './sessions.service.ts';

const MARIA = { method: 'password', name: 'maria', subject: null, groups: [] } as const;
const ADDRESS = '203.0.113.7';
const CONFIG = {
  operators: {
    users: new Map([['maria', { passwordHash: 'the stored hash', roles: { '*': 'act' } as const }]]),
    groups: new Map(),
  },
  tenants: [{ id: 'acme' }],
  console: { linkSecret: null },
  oidc: null,
};

let schema: TestSchema;
let database: Database;
let sessions: Sessions;
let now: number;
const clock = { now: () => now };

beforeAll(async () => {
  schema = await createTestSchema('console-sessions');
  const tables = { entities: consoleEntities, migrations: consoleMigrations };
  database = new Database({ url: schema.url, schema: schema.schema, queryTimeoutMs: ANSWER_LIMIT_MS, ...tables });
  await database.connect();
  sessions = new Sessions(database, clock, new Randomness(), new Operators(CONFIG));
});

beforeEach(() => {
  now = Date.UTC(2026, 10, 26, 8);
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

async function stored(): Promise<number> {
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::integer AS count FROM sessions');
  return rows[0]!.count;
}

describe('the token of a session', () => {
  it('is replaced once, however many calls show it at the same time, and all of them are served', async () => {
    const token = await sessions.open(MARIA, ADDRESS);
    now += 15 * MINUTE_MS;
    const found = await Promise.all(Array.from({ length: 8 }, () => sessions.find(token)));
    expect(found.map((each) => each?.operator.name)).toEqual(Array.from({ length: 8 }, () => 'maria'));
    const replacing = found.flatMap((each) => each?.newToken ?? []);
    expect(replacing).toHaveLength(1);
    now += MINUTE_MS;
    expect(await sessions.find(token)).toBe(null);
    expect(await sessions.find(replacing[0]!)).toMatchObject({ operator: { name: 'maria' } });
  });

  it('ends the session by the one before, too', async () => {
    const token = await sessions.open(MARIA, ADDRESS);
    now += 15 * MINUTE_MS;
    const newToken = (await sessions.find(token))!.newToken!;
    await sessions.close(token);
    expect(await sessions.find(newToken)).toBe(null);
  });

  it.each(['', 'x', 'x'.repeat(43), `${'x'.repeat(42)}\0`])('is none: %j', async (token) => {
    expect(await sessions.find(token)).toBe(null);
  });
});

describe('retention', () => {
  it('deletes the sessions that ended, and no other', async () => {
    await database.query('DELETE FROM sessions');
    await sessions.open(MARIA, ADDRESS);
    now += 7 * HOUR_MS;
    const used = await sessions.open(MARIA, ADDRESS);
    now += 2 * HOUR_MS;
    await sessions.deleteEnded();
    expect(await stored()).toBe(1);
    expect(await sessions.find(used)).not.toBe(null);
    now += 24 * HOUR_MS;
    await sessions.deleteEnded();
    expect(await stored()).toBe(0);
  });

  it('deletes actions after a year', async () => {
    const actions = new ActionsRepository(database, clock);
    const operator = { name: 'maria', method: 'password', subject: null } as const;
    const action = { operator, tenant: 'acme', action: 'release-order', subject: '1' };
    await actions.begin(action);
    now += 364 * 24 * HOUR_MS;
    const later = await actions.begin(action);
    now += 2 * 24 * HOUR_MS;
    await actions.deleteOld();
    const left = await actions.list({ tenants: ['acme'], subject: '1', before: '9999', limit: 9 });
    expect(left.map(({ id }) => id)).toEqual([later]);
  });
});
