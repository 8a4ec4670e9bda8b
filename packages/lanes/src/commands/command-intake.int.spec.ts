import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { readCommandIdentity } from '@gondola/shared/commands/command-identity';
import type { Result } from '@gondola/shared/results/result';

import { HEADER, type InRecord } from '@gondola/kafka/records/record-codec';
import type { BatchIntake } from '../intake/batch-intake.ts';
import { Lanes } from '../lanes/lanes.ts';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { Outbox } from '../outbox/outbox.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { testIntake } from '../testing/test-intake.ts';
import { CommandIntake, type CommandSource } from './command-intake.ts';
import { Commands } from './commands.ts';

const TOPIC = 'erp.files.commands.v1';
const RESULTS = 'erp.files.results.v1';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const TENANTS = [
  { id: 'acme', language: 'en' },
  { id: 'beta', language: 'pt-BR' },
] as const;

const SOURCE: CommandSource = {
  results: RESULTS,
  read: (record, tenants) =>
    readCommandIdentity(
      record.value,
      { tenantHeader: record.header(HEADER.tenant), tenants },
      (content, { command }) => ({
        lane: { kind: 'order-invoice', identity: JSON.stringify(content['orderNumber']) },
        entity: { kind: 'order', orderNumber: Number(content['orderNumber']) },
        parentCommandId: 'saga',
        ...(command === 'CancelOrder' && { queue: 'cancel' }),
      }),
    ),
  conflict: { field: 'commandId' },
};

let test: TestDatabase;
let lanes: Lanes;
let intake: CommandIntake;
let woken: string[];
const commands = new Commands();

beforeAll(async () => {
  test = await openTestDatabase('command-intake');
  lanes = new Lanes(test.database);
  const { database } = test;
  const metrics = new MessagingMetrics(new Registry());
  const origin = { app: 'test', group: 'test', topicPrefix: '', tenants: ['acme', 'beta'] };
  const { outbox, intake: batches } = testIntake({ origin, database, metrics, logger: quietLogger() });
  intake = intakeOn(batches, outbox);
});

beforeEach(() => {
  woken = [];
});

afterAll(async () => {
  await test.close();
});

function intakeOn(batches: BatchIntake, outbox: Outbox): CommandIntake {
  const workers = { wake: () => void woken.push('workers') };
  const relay = { wake: () => void woken.push('relay') };
  const clock = { now: () => Date.parse('2026-11-20T10:00:00Z') };
  return new CommandIntake(batches, lanes, commands, outbox, workers, relay, TENANTS, clock);
}

let offset = 0;

async function take(tenant: string, ...values: (object | string)[]): Promise<void> {
  const records = values.map((value): InRecord =>
    recordOf(tenant, typeof value === 'string' ? value : JSON.stringify(value)),
  );
  await intake.take({ topic: TOPIC, partition: 0, records }, SOURCE);
}

function recordOf(
  tenant: string,
  value: string,
  more: readonly (readonly [string, string])[] = [],
  timestamp = '',
): InRecord {
  const headers = new Map<string, string>([[HEADER.tenant, tenant], [HEADER.traceparent, TRACEPARENT], ...more]);
  offset += 1;
  return {
    topic: TOPIC,
    partition: 0,
    offset: String(offset),
    timestamp,
    key: null,
    value: Buffer.from(value),
    headers: [...headers].map(([name, text]) => [name, Buffer.from(text)]),
    header: (name: string) => headers.get(name),
  } as unknown as InRecord;
}

async function openIn(tenant: string, orderNumber: number): Promise<string[]> {
  const lane = await lanes.find({ tenant, kind: 'order-invoice', identity: String(orderNumber) });
  if (lane === null) return [];
  const open = await commands.open(test.database, lane.id, 10);
  return open.map(({ commandId, queue }) => `${queue} ${commandId}`);
}

async function results(tenant: string): Promise<Result[]> {
  const text = 'SELECT value FROM outbox WHERE topic = $1 ORDER BY seq';
  const { rows } = await test.database.query<{ value: Buffer }>(text, [RESULTS]);
  return rows.map(({ value }) => JSON.parse(value.toString()) as Result).filter((result) => result.tenant === tenant);
}

describe('CommandIntake', () => {
  it('stores the record’s own time, and for a command of Gondola’s own apps that of the command that it comes from', async () => {
    const [made, came] = ['2026-11-20T09:00:00.000Z', '2026-11-20T08:00:00.000Z'];
    const named = (commandId: string, source: string) => {
      const value = JSON.stringify({ commandId, command: 'UploadInvoicePdf', orderNumber: 771 });
      const headers = [[HEADER.source, source] as const, [HEADER.time, came] as const];
      return recordOf('acme', value, headers, String(Date.parse(made)));
    };
    const records = [named('own', '/gondola/order-command-handler'), named('erp', '/erp')];
    await intake.take({ topic: TOPIC, partition: 0, records }, SOURCE);
    const stored = await commands.named(test.database, 'acme', TOPIC, ['own', 'erp']);
    expect(stored.map(({ commandId, producedAt }) => [commandId, producedAt])).toEqual([
      ['own', came],
      ['erp', made],
    ]);
  });

  it('queues each command once in its lane, wakes the lane, and signals workers and relay', async () => {
    const ship = { commandId: 'c-1', command: 'Ship', orderNumber: 7 };
    await take('acme', ship, { commandId: 'c-2', command: 'CancelOrder', orderNumber: 7 });
    await take('acme', ship);
    expect(await openIn('acme', 7)).toEqual(['main c-1', 'cancel c-2']);
    expect(woken).toEqual(['workers', 'relay', 'workers', 'relay']);
    const [readiness] = await lanes.readiness([{ tenant: 'acme', kind: 'order-invoice' }], 0);
    expect(readiness).toMatchObject({ isReady: true });
    expect(await results('acme')).toEqual([]);
  });

  it('answers other content under a known id at once, and does not change the first command (rule 19)', async () => {
    await take('beta', { commandId: 'c-1', command: 'Ship', orderNumber: 8 });
    await take('beta', { commandId: 'c-1', command: 'Ship', orderNumber: 9 });
    expect(await openIn('beta', 8)).toEqual(['main c-1']);
    expect(await openIn('beta', 9)).toEqual([]);
    expect(await results('beta')).toMatchObject([
      {
        commandId: 'c-1',
        command: 'Ship',
        parentCommandId: 'saga',
        entity: { kind: 'order', orderNumber: 9 },
        outcome: 'invalid',
        final: true,
        reason: { code: 'DUPLICATE_COMMAND', field: 'commandId' },
        conflictsWith: null,
        receivedAt: '2026-11-20T10:00:00.000Z',
      },
    ]);
  });

  it('dead-letters a command without a readable identity, and queues those beside it', async () => {
    await take(
      'acme',
      'no JSON',
      { command: 'Ship', orderNumber: 10 },
      { commandId: 'c-10', command: 'Ship', orderNumber: 10 },
    );
    expect(await openIn('acme', 10)).toEqual(['main c-10']);
    const { rows } = await test.database.query<{ code: string }>(
      'SELECT reason_code AS code FROM dead_letters ORDER BY id',
    );
    expect(rows.map(({ code }) => code)).toEqual(['NOT_JSON', 'IDENTITY_MISSING']);
  });

  it('sends no wake signal if nothing was committed', async () => {
    const records = [recordOf('acme', JSON.stringify({ commandId: 'c-11', command: 'Ship', orderNumber: 11 }))];
    const away = Object.assign(new Error('away'), { code: '08006' });
    const batches = { store: () => Promise.reject(away) } as unknown as BatchIntake;
    const failing = intakeOn(batches, new Outbox('test'));
    await expect(failing.take({ topic: TOPIC, partition: 0, records }, SOURCE)).rejects.toThrow('away');
    expect(woken).toEqual([]);
  });

  it('lets the app store its own rows in the same transaction', async () => {
    const seen: string[] = [];
    const source: CommandSource = {
      ...SOURCE,
      beside: async (tx, { inserted, repeats, conflicts }) => {
        const { rows } = await tx.query<{ ids: number }>(
          `SELECT count(*)::float8 AS ids FROM commands WHERE command_id LIKE 'beside-%'`,
        );
        seen.push(`${inserted.length} ${repeats.length} ${conflicts.length} ${rows[0]!.ids}`);
      },
    };
    const values = [1, 2, 1, 3].map((order) => ({
      commandId: `beside-${order % 2}`,
      command: 'x',
      orderNumber: order,
    }));
    const records = values.map((value) => recordOf('acme', JSON.stringify(value)));
    await intake.take({ topic: TOPIC, partition: 0, records }, source);
    expect(seen).toEqual(['2 1 1 2']);
  });
});
