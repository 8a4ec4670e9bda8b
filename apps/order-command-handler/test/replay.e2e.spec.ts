import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import type { ShownReplay } from '@gondola/operations/replays/replays.dto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { pdfResultMessage } from './support/pdf-result-message.ts';
import { orderData } from './support/platform-order.ts';

const EVENTS = 'erp.orders.events.v1';
const RESULTS = 'erp.orders.results.v1';
const FILE_RESULTS = 'erp.files.results.v1';
const SINCE = '2026-11-20T10:00:00-03:00';
const ORDERS = [310_001, 310_002, 310_003];

describe('replays of the app, on real Kafka and PostgreSQL', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('replay');
    for (const [minute, status] of [
      [15, 300],
      [20, 500],
    ] as const)
      for (const number of ORDERS) {
        await app.notify({ data: orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00` }) });
        await app.eventsOf(number, minute === 15 ? 1 : 2);
      }
    await app.command({
      commandId: 'c-2',
      command: 'WithdrawCommand',
      orderNumber: ORDERS[0],
      withdraws: 'none',
    });
    await app.resultOf('c-2');
  });

  afterAll(() => app.stop());

  const start = (body: object) => app.installation.post('/api/replays', body);
  const show = async (id: string) => (await app.get(`/api/replays/${id}`)).body as ShownReplay;
  const of = (topic: typeof EVENTS | typeof RESULTS, replay?: string) =>
    app.installation.records(topic).filter(({ headers }) => headers['ce_replay'] === replay);

  async function finished(id: string): Promise<ShownReplay> {
    await app.until(async () => (await show(id)).state === 'finished');
    return show(id);
  }

  it('publishes events and results again as they were, in the form of the contract, each marked', async () => {
    for (const topic of [EVENTS, RESULTS] as const) {
      const { status, body } = await start({ topic, since: SINCE });
      expect(status).toBe(202);
      const originals = of(topic);
      expect(originals.length).toBeGreaterThan(0);
      const { id } = body as ShownReplay;
      const done = await finished(id);
      expect(done).toMatchObject({ topic, to: topic, sent: originals.length, missingBefore: null, problem: null });
      expect(done.read).toBe(done.toRead);
      await app.until(() => of(topic, id).length === originals.length);
      for (const { partition, key, value, headers } of originals) {
        const again = of(topic, id).find((each) => each.headers['ce_id'] === headers['ce_id']);
        expect(again).toMatchObject({ partition, key, value, headers: { ...headers, ce_replay: id } });
      }
    }
  });

  it('is done for one order by the name without its version, and shows the first one to whoever asks for it again', async () => {
    const asked = {
      topic: 'erp.orders.events',
      since: SINCE,
      orderNumber: String(ORDERS[1]),
      tenant: 'acme',
      perSecond: 1,
    };
    const first = (await start(asked)).body as ShownReplay;
    const second = await start({ ...asked, since: '2026-11-21T00:00:00Z' });
    expect(second).toMatchObject({ status: 202, body: { id: first.id, since: new Date(SINCE).toISOString() } });
    const stopped = await app.installation.post(`/api/replays/${first.id}/stop`, {});
    expect(stopped).toMatchObject({ status: 200, body: { state: 'stopped' } });
    const resumed = await app.installation.post(`/api/replays/${first.id}/resume`, {});
    expect(resumed).toMatchObject({ status: 200, body: { state: 'running' } });
    expect(await finished(first.id)).toMatchObject({ sent: 2, tenant: 'acme' });
    const { entries } = (await app.get('/api/replays?tenant=acme')).body as { entries: ShownReplay[] };
    expect(entries.map(({ id }) => id)).toEqual([first.id]);
    expect((await app.get(`/api/replays/${first.id}?tenant=other`)).status).toBe(404);
  });

  it.each([
    [
      { topic: 'erp.orders.commands', since: SINCE },
      /erp\.orders\.commands.*does not publish.*erp\.orders\.events\.v1/,
    ],
    [{ topic: 'catalog.skus', since: SINCE }, /does not publish/],
    [{ topic: EVENTS, since: '2126-11-20T10:00:00Z' }, /in the future/],
    [{ topic: EVENTS, since: '2026-11-20T10:00:00' }, /time of the calendar with its offset/],
    [{ topic: EVENTS }, /since/],
    [{ topic: EVENTS, since: SINCE, tenant: 'other' }, /tenant must be one of/],
    [{ topic: EVENTS, since: SINCE, orderNumber: '12a' }, /orderNumber/],
    [{ topic: EVENTS, since: SINCE, to: RESULTS }, /to is erp\.orders\.results\.v1, a topic of Gondola/],
    [{ topic: EVENTS, since: SINCE, to: 'erp.orders.commands' }, /a topic of Gondola/],
    [{ topic: EVENTS, since: SINCE, to: 'shadow.erp.orders.events.v1' }, /a topic of Gondola/],
    [{ topic: EVENTS, since: SINCE, to: 'no.such.topic' }, /Kafka has no topic no\.such\.topic/],
    [{ topic: EVENTS, since: SINCE, perSecond: 5_001 }, /perSecond/],
  ])('begins nothing for %j', async (body, message) => {
    const before = (await app.get('/api/replays')).body;
    const answer = await start(body);
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(message) } } });
    expect((await app.get('/api/replays')).body).toEqual(before);
  });

  it('goes to a topic of one’s own, whose name gets the prefix, too', async () => {
    const { kafka } = app.installation.running.app.get<MessagingOptions>(MESSAGING_OPTIONS, { strict: false });
    const admin = createKafka(kafka, 'test', quietLogger()).admin();
    const name = `${app.installation.prefix}erp.again`;
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: name, numPartitions: 2 }] });
    const { body } = await start({ topic: EVENTS, since: SINCE, to: 'erp.again' });
    const { sent } = await finished((body as ShownReplay).id);
    const ends = await admin.fetchTopicOffsets(name);
    expect(ends.reduce((sum, { high }) => sum + Number(high), 0)).toBe(sent);
    await admin.disconnect();
  });

  it('moves nothing in an app that reads the topic: it passes the records over and counts them', async () => {
    const message = pdfResultMessage('acme', 'c-9', { outcome: 'applied' });
    const counts = async () => (await app.get('/api/counts')).body;
    const before = await counts();
    const headers = { ...message.headers, ce_replay: '7' };
    await app.installation.send(FILE_RESULTS, { ...message, headers });
    const counted = `gondola_records_skipped_total{topic="${FILE_RESULTS}",why="replay"} 1`;
    const metrics = async () => (await asOperator(`${app.installation.running.url}/metrics`)).text();
    await app.until(async () => (await metrics()).includes(counted));
    expect(await counts()).toEqual(before);
    expect(await app.installation.query('SELECT 1 FROM pdf_results')).toEqual([]);
  });
});
