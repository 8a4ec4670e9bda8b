import { afterEach, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const DAY_S = 86_400;
const THROTTLED = { status: 429, headers: { 'retry-after': String(DAY_S) } };

interface Shown {
  readonly entries: { readonly route: string | null; readonly cause: string; readonly until: string }[];
}

const paused = async (at: RunningApp): Promise<Shown['entries']> =>
  ((await (await asOperator(`${at.url}/api/pauses?tenant=acme`)).json()) as Shown).entries;

const end = async (at: RunningApp, body: object = {}) => {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return (await asOperator(`${at.url}/api/pauses/end`, init)).status;
};

describe('a pause of a day that the platform asked for', () => {
  let app: OrderApp;

  afterEach(() => app.stop());

  it('ends by an operator at any replica: one trial call, and what waited goes on (rule 17)', async () => {
    app = await OrderApp.start('end-of-a-pause', { lostAnswerMs: 60_000 });
    const { running } = app.installation;
    const replica = await app.startReplica();
    const orders = [500_001, 500_002, 500_003];
    await app.notify(
      ...orders.map((number) => ({ data: orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' }) })),
    );
    for (const number of orders) await app.eventsOf(number, 1);
    expect([await end(running), await end(running, { route: 'nothing' })]).toEqual([404, 400]);
    app.platform.on.status = () => THROTTLED;
    for (const orderNumber of orders) {
      await app.command({ commandId: `p-${orderNumber}`, command: 'StartPreparation', orderNumber });
    }
    await app.until(async () => (await paused(running)).length > 0 && (await paused(replica)).length > 0);
    const [pause] = await paused(running);
    expect(pause).toMatchObject({ route: null, cause: 'throttled' });
    expect(Date.parse(pause!.until) - Date.now()).toBeGreaterThan(DAY_S * 900);
    // The trial call is answered by another day: all wait again.
    const calls = app.platform.requests.length;
    // A replica shows the others a pause within a second; until then it keeps it.
    await app.until(async () => {
      await end(replica);
      return app.platform.requests.length > calls;
    });
    await app.until(async () => (await paused(running)).some(({ until }) => Date.parse(until) > Date.now() + 1_000));
    const carriedOut = new Set<number>();
    app.platform.on.status = ({ path }) => {
      const number = Number(/\/(\d+)\/status$/.exec(path)?.[1]);
      void app.notify({ data: orderData({ number, status: 400, updatedAt: '2026-11-20T10:16:00' }) });
      carriedOut.add(number);
      return { status: 200, json: { operationId: null } };
    };
    // The replica whose trial call succeeds carries them out; the other one may go on waiting for a call to try.
    await app.until(async () => {
      await end(replica);
      return carriedOut.size === orders.length;
    });
    for (const number of orders) {
      expect((await app.resultOf(`p-${number}`)).value).toMatchObject({ outcome: 'applied' });
    }
  });
});
