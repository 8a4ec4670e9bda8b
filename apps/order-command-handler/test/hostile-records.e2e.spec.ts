import { HOSTILE_REASON_CODES, sendHostileRecords } from '@gondola/messaging/testing/hostile-records';
import { hostileJson, UNREADABLE_JSON } from '@gondola/shared/testing/hostile-json';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OrderApp } from './support/order-app.ts';
import { startOrderApp } from './support/start-order-app.ts';

const TOPIC = 'erp.orders.commands.v1';

/** No record that an ERP writes stops the app: what is unreadable is a dead letter, and what follows has its result. */
describe('records that were made to stop order-command-handler', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await startOrderApp('hostile-orders');
  });

  afterAll(() => app.stop());

  it('are dead letters, each with its reason, and the app answers what follows', async () => {
    await sendHostileRecords(app.installation.prefix, TOPIC, `${app.installation.prefix}gondola.order-command-handler`);
    const letters = await app.deadLetter(HOSTILE_REASON_CODES.length);
    const offset = ({ headers }: (typeof letters)[number]): number => Number(headers['ce_originoffset']);
    const codes = letters
      .toSorted((one, other) => offset(one) - offset(other))
      .map(({ headers }) => headers['ce_reasoncode']);
    expect(codes).toEqual(HOSTILE_REASON_CODES);

    await app.command({ commandId: 'after', command: 'NoSuchCommand', orderNumber: 100_001 }, { ce_tenant: 'acme' });
    expect((await app.resultOf('after')).value).toMatchObject({ outcome: 'invalid' });
  });

  it('and that ask for work without a bound end in one result each, or as dead letters, and the one after them in its own', async () => {
    const before = app.deadLetters().length;
    const hostile = hostileJson((id) => `"commandId":"${id}","command":"StartPreparation","orderNumber":100002`);
    for (const text of [...UNREADABLE_JSON, ...hostile.map((each) => each.text)])
      await app.command(text, { ce_tenant: 'acme' });
    await app.command({ commandId: 'ordinary', command: 'NoSuchCommand', orderNumber: 100_002 }, { ce_tenant: 'acme' });
    expect((await app.resultOf('ordinary')).value).toMatchObject({ reason: { code: 'COMMAND_UNKNOWN' } });
    for (const { id, code, isCut } of hostile) {
      const { value } = await app.resultOf(id);
      expect(value).toMatchObject({ outcome: 'invalid', attempts: 0, final: true });
      const codes = (value['errors'] as { code: string }[]).map((error) => error.code);
      expect(codes).toContain(code);
      expect(codes.includes('NOT_LISTED')).toBe(isCut);
    }
    await app.deadLetter(before + UNREADABLE_JSON.length);
    expect(app.deadLetters()).toHaveLength(before + UNREADABLE_JSON.length);
  });
});
