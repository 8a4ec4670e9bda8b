import { sized } from '@gondola/local-stack/testing/sized';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import { pathsBelow, poisonedAt, POISONS } from '@gondola/shared/testing/poisoned-leaves';
import { wholeOrder } from '@gondola/shared/testing/whole-order';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { OrderApp } from './support/order-app.ts';

const PAID = '2026-11-20T10:15:00';
const PREPARED = '2026-11-20T10:16:00';
const ERROR: JsonRecord = {
  statusCode: 422,
  message: 'no',
  title: 'Refused',
  validationErrors: [{ id: 1, key: 'status', validation: 'no' }],
};

/** A poison in one place of what the platform says of an order, and when it says so. */
const anyCase = fc.record({
  path: fc.constantFrom(...pathsBelow(wholeOrder(1, 300, PAID))),
  errorPath: fc.constantFrom([], ...pathsBelow(ERROR)),
  poison: fc.constantFrom(...Object.keys(POISONS)),
  in: fc.constantFrom('its first notification', 'a later one', 'its payload', 'a refusal'),
  commands: fc.subarray(['StartPreparation', 'RefreshOrder', 'WithdrawCommand', 'ReleaseOrder']),
});

type Case = Parameters<Parameters<(typeof anyCase)['map']>[0]>[0];

/** All places with all poisons, each in one of the ways. */
const EVERY_CASE: readonly Case[] = pathsBelow(wholeOrder(1, 300, PAID)).flatMap((path, place) =>
  Object.keys(POISONS).map((poison, n) => ({
    path,
    errorPath: [],
    poison,
    in: (['its first notification', 'a later one', 'its payload'] as const)[(place + n) % 3]!,
    commands: (place + n) % 4 === 0 ? ['StartPreparation', 'WithdrawCommand'] : [],
  })),
);

/** Places that say which order it is, or that it is one to be created. */
const IDENTIFYING: ReadonlySet<unknown> = new Set(['number', 'status']);

describe('an order with poison in a place of its notifications or of its payload', () => {
  let app: OrderApp;
  let orders = 500_000;
  let sent = 0;
  const payloads = new Map<number, string>();

  beforeAll(async () => {
    app = await OrderApp.start('every-leaf', { commandMs: 2_000, tenant: { watch: { paidNoticeMs: 100 } } });
    app.platform.on.payload = ({ path }) => {
      const text = payloads.get(Number(/Orders\/(\d+)/.exec(path)?.[1]));
      return text === undefined ? { status: 404 } : { status: 200, body: text };
    };
    await app.sku('a-1', { skuId: 'sku-a', reference: 'reference-a', ean: 'ean-a' }, 1);
  });

  afterAll(() => app.stop());

  /** Sends all of the cases' records, and checks that each has its end. */
  const play = async (cases: readonly Case[]): Promise<void> => {
    const played = cases.map((each) => ({ ...each, number: (orders += 1) }));
    const notices = played.flatMap(noticesOf);
    for (const { number, ...each } of played) if (each.in === 'its payload') payloads.set(number, dataOf(each, number));
    await app.notify(...notices);
    sent += notices.length;
    const commands = played.flatMap(commandsOf);
    for (const command of commands) await app.command(command);
    const ends = () => app.results().filter(({ value }) => value['outcome'] !== 'waiting');
    const isEnded = (): boolean => {
      const ended = new Set(ends().map(({ value }) => value['commandId']));
      return commands.every(({ commandId }) => ended.has(commandId));
    };
    await app.until(isEnded);
    await app.until(async () => (await countOf('order_facts', "source = 'notification'")) + refused() === sent);
    await app.until(async () => (await countOf('lanes', 'due_at <= now() OR lease_until IS NOT NULL')) === 0);
    expect(await app.installation.query('SELECT identity, failures FROM lanes WHERE failures > 0')).toEqual([]);
    const created = played.filter((each) => each.in !== 'its first notification' || !IDENTIFYING.has(each.path[0]));
    for (const { number } of created) expect([number, app.events(number).length > 0]).toEqual([number, true]);
  };

  const refused = (): number => app.deadLetters().length;

  const countOf = async (table: string, where: string): Promise<number> => {
    const rows = await app.installation.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${table} WHERE ${where}`,
    );
    return rows[0]!.n;
  };

  it('ends in an event or a dead letter, its lane does not stand, and its commands end (guarantees 3, 5)', async () => {
    const batches = fc.asyncProperty(fc.array(anyCase, { minLength: 60, maxLength: 60 }), play);
    const all = fc.assert(batches, { numRuns: sized(2, 10), endOnFailure: true });
    await expect(all).resolves.toBeUndefined();
  });

  it('is published without the SKU that cannot be looked up, with a mark (rule 11)', async () => {
    const number = (orders += 1);
    await app.notify({ data: poisonedAt(wholeOrder(number, 300, PAID), ['items', 1, 'skuId'], POISONS['a NUL']!) });
    sent += 1;
    const [event] = await app.eventsOf(number, 1);
    expect(event!.value).toMatchObject({
      order: { items: [{ match: 'exact' }, { match: 'unknown', skuId: 'a\0b', skuExternalReference: null }] },
    });
  });

  it('ends so in every place, with every poison (guarantees 3, 5)', async () => {
    const cases = EVERY_CASE.slice(0, sized(200, EVERY_CASE.length));
    for (let from = 0; from < cases.length; from += 200)
      await expect(play(cases.slice(from, from + 200))).resolves.toBeUndefined();
  });
});

function dataOf({ path, poison }: Pick<Case, 'path' | 'poison'>, number: number, status = 300): string {
  return poisonedAt(wholeOrder(number, status, status === 300 ? PAID : PREPARED), path, POISONS[poison]!);
}

function noticesOf(each: Case & { readonly number: number }): NotificationParts[] {
  const { number } = each;
  const paid = { data: wholeOrder(number, 300, PAID) };
  if (each.in === 'its first notification') return [{ data: dataOf(each, number) }];
  if (each.in === 'a later one') return [paid, { data: dataOf(each, number, 400), operationId: `op-${number}` }];
  if (each.in === 'its payload') return [paid];
  const error = poisonedAt(ERROR, each.errorPath, POISONS[each.poison]!);
  return [paid, { data: { number }, error, eventType: 'Order_StatusUpdateFailed', operationId: `op-${number}` }];
}

function commandsOf({ number, commands }: Case & { readonly number: number }) {
  return commands.map((command) => {
    const more = command === 'WithdrawCommand' ? { withdraws: `StartPreparation-${number}` } : {};
    return { commandId: `${command}-${number}`, command, orderNumber: number, ...more };
  });
}
