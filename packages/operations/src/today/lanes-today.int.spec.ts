import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Clock } from '@gondola/service-kit/run/clock';

import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { openTestDatabase, type TestDatabase } from '@gondola/lanes/testing/test-database';
import { LanesToday } from './lanes-today.ts';
import { TodayController } from './today.controller.ts';

const REFUSED = { topic: 'erp.orders.events.v1', code: 'TOPIC_AUTHORIZATION_FAILED', since: new Date(0) } as const;

describe('what waits in an app', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await openTestDatabase('today');
    await test.database.query(`
      INSERT INTO lanes (tenant, kind, identity, due_at)
      SELECT CASE WHEN n > 3 THEN 'bairro' ELSE 'acme' END, 'order', n::text, now() - n * interval '1 minute' FROM generate_series(1, 4) AS n
      UNION ALL SELECT 'acme', 'price', 'later', now() + interval '1 hour' UNION ALL SELECT 'acme', 'price', 'idle', NULL;
      INSERT INTO lanes (tenant, kind, identity, due_at, failures)
      VALUES ('acme', 'order', '4711', now() + interval '5 minutes', 10), ('acme', 'order', '4712', NULL, 9),
        ('bairro', 'price', 'p', now() + interval '1 hour', 40);
      INSERT INTO commands (lane_id, tenant, topic, command_id, command, content_hash)
      SELECT id, tenant, 'erp.orders.commands.v1', command_id, 'MarkReady', '' FROM lanes,
        (VALUES ('c-1'), ('c-2')) AS c (command_id) WHERE identity = '4711';
      INSERT INTO outbox (topic, headers, bytes, created_at, parked_at, parked_reason)
      VALUES ('t', '[]', 1, now() - interval '1 minute', NULL, NULL), ('t', '[]', 1, now(), now(), 'too large')`);
  });

  afterAll(() => test.close());

  it('names each lane whose steps fail again and again, with its open commands (guarantee 5)', async () => {
    const source = new LanesToday(
      test.database,
      { source: new OutboxSource(), refusedTopics: () => [] },
      { list: async () => [] },
    );
    const { stuck } = await new TodayController(source, new Clock()).show({ tenant: 'acme' });
    const order = { tenant: 'acme', kind: 'order', identity: '4711', failures: 10 };
    expect(stuck).toEqual([{ ...order, nextTryAt: expect.any(Date), commandIds: ['c-1', 'c-2'] }]);
    expect((await source.stuck(null)).map(({ identity }) => identity)).toEqual(['4711', 'p']);
  });

  it('is counted by tenant and kind, with the oldest, parked records, and pauses of any replica since when', async () => {
    const pause = { route: null, cause: 'credentials', since: new Date(1_000) } as const;
    const all = [
      { tenant: 'acme', ...pause, until: new Date(2_000), replica: 'one' },
      { tenant: 'acme', ...pause, until: new Date(1_500), replica: 'other' },
      { tenant: 'bairro', ...pause, until: new Date(2_000), replica: 'other' },
    ];
    const list = async (of: string | null) => all.filter(({ tenant }) => of === null || tenant === of);
    const source = new LanesToday(
      test.database,
      { source: new OutboxSource(), refusedTopics: () => [REFUSED] },
      { list },
    );
    const today = new TodayController(source, new Clock());
    const shown = await today.show({});
    expect(shown).toMatchObject({
      queues: [
        { tenant: 'acme', kind: 'order', count: 3, isMore: false },
        { tenant: 'bairro', kind: 'order', count: 1, isMore: false },
      ],
      outbox: { waiting: 1, parked: 1, oldestAt: expect.any(Date), refused: [REFUSED] },
      pauses: [
        { tenant: 'acme', route: null, cause: 'credentials', since: new Date(1_000), until: new Date(2_000) },
        { tenant: 'bairro' },
      ],
    });
    expect(await today.show({ tenant: 'bairro' })).toMatchObject({
      queues: [{ tenant: 'bairro' }],
      pauses: [{ tenant: 'bairro' }],
    });
  });
});
