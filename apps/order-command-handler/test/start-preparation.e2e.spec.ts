import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PublishedRecord } from '@gondola/kafka/testing/test-installation';
import { OrderApp } from './support/order-app.ts';
import { CANARIES, orderData } from './support/platform-order.ts';
import type { Script } from '@gondola/local-stack/testing/scripted-platform';

const operationOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const accepting: Script = ({ path }) => ({
  status: 200,
  json: { operationId: operationOf(Number(/\/(\d+)\/status$/.exec(path)?.[1])) },
});
/** The platform's local time, a while from now: what happens after whatever was read meanwhile. */
const soon = (): string => new Date(Date.now() - 3 * 3_600_000 + 60_000).toISOString().slice(0, -1);
const ERROR = '{"statusCode":422,"message":"Pedido não pode mudar","title":"Regra","validationErrors":[]}';

const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

describe('StartPreparation', () => {
  let app: OrderApp;

  beforeAll(async () => {
    app = await OrderApp.start('start-preparation');
  });

  afterEach(() => {
    app.platform.on.status = accepting;
    app.platform.on.read = () => ({ status: 404 });
  });

  afterAll(() => app.stop());

  const paid = async (number: number): Promise<void> => {
    await app.notify({ data: orderData({ number, status: 300, updatedAt: '2026-11-20T10:15:00' }) });
    await app.eventsOf(number, 1);
  };

  const echo = (number: number, operationId = operationOf(number)): Promise<void> =>
    app.notify({ operationId, data: orderData({ number, status: 400, updatedAt: '2026-11-20T10:16:00.1234567' }) });

  const start = (number: number, commandId = `c-${number}`): Promise<void> =>
    app.command({ commandId, command: 'StartPreparation', orderNumber: number, requestedAt: '2026-11-20T13:15:00Z' });

  const laterStatus = async (number: number): Promise<PublishedRecord[]> => {
    await app.notify({ data: orderData({ number, status: 500, updatedAt: soon() }) });
    return app.eventsOf(number, 2);
  };

  it('is applied by the echo of its PATCH, which is no event and uses no revision (rule 10)', async () => {
    await paid(200001);
    app.platform.on.status = (request) => {
      void echo(200001);
      return accepting(request);
    };
    await start(200001);
    const { key, headers, value } = await app.resultOf('c-200001');
    expect(key).toBe('acme:result:erp.orders.commands.v1:c-200001:applied');
    expect(headers).toMatchObject({
      ce_type: 'gondola.result.v1',
      ce_subject: 'order/200001',
      ce_partitionkey: 'acme/order/200001',
      ce_commandid: 'c-200001',
    });
    expect(value).toEqual({
      id: key,
      type: 'gondola.result.v1',
      tenant: 'acme',
      time: expect.any(String),
      commandId: 'c-200001',
      parentCommandId: null,
      command: 'StartPreparation',
      entity: { kind: 'order', orderNumber: 200001 },
      outcome: 'applied',
      final: true,
      revision: 1,
      reason: null,
      errors: [],
      warnings: [],
      data: null,
      evidence: 'event',
      operationIds: [operationOf(200001)],
      attempts: 1,
      receivedAt: expect.any(String),
      finishedAt: expect.any(String),
      platform: null,
    });
    const [request] = app.platform.requestsOf(200001, 'PATCH');
    expect(JSON.parse(request!.body)).toEqual({ status: 'ORDER_BEING_PREPARED' });
    expect(request!.contractAccountId).toBe('11111111-1111-4111-8111-111111111111');
    const events = await laterStatus(200001);
    expect(events.map(({ value: { type, revision, previousStatus } }) => [type, revision, previousStatus])).toEqual([
      ['OrderApproved', 1, null],
      ['OrderReady', 2, { code: 400, name: 'ORDER_BEING_PREPARED' }],
    ]);
  });

  it('is applied although its outcome came before its answer (rule 5)', async () => {
    await paid(200002);
    app.platform.on.status = async (request) => {
      await echo(200002);
      await app.stored(200002, 2);
      return accepting(request);
    };
    await start(200002);
    const { value } = await app.resultOf('c-200002');
    expect(value).toMatchObject({
      outcome: 'applied',
      evidence: 'event',
      attempts: 1,
      operationIds: [operationOf(200002)],
    });
  });

  it("is refused with the platform's error, also when the refusal came before the answer (rules 5, 16)", async () => {
    await paid(200003);
    app.platform.on.read = () => ({ status: 200, json: 300 });
    app.platform.on.status = async (request) => {
      const operationId = operationOf(200003);
      const data = '{"id":null,"number":200003,"status":300}';
      await app.notify({ eventType: 'Order_StatusUpdateFailed', operationId, data, error: ERROR });
      await app.stored(200003, 2);
      return accepting(request);
    };
    await start(200003);
    const { value } = await app.resultOf('c-200003');
    expect(value).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED', message: 'A plataforma recusou a operação.' },
      platform: JSON.parse(ERROR) as unknown,
    });
    expect(app.events(200003)).toHaveLength(1);
  });

  it('is applied although refused when the order is so already (rule 16)', async () => {
    await paid(200004);
    app.platform.on.read = () => ({ status: 200, json: { status: 'ORDER_BEING_PREPARED' } });
    app.platform.on.status = () => ({ status: 400, json: 'already' });
    await start(200004);
    const { value } = await app.resultOf('c-200004');
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'already-in-state', reason: null });
  });

  it('reads the status after a lost answer, and does not send again what was applied (rule 16)', async () => {
    await paid(200005);
    app.platform.on.status = () => 'drop';
    app.platform.on.read = () => ({ status: 200, json: 400 });
    await start(200005);
    const { value } = await app.resultOf('c-200005');
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1, operationIds: [] });
    expect(app.platform.requestsOf(200005, 'PATCH')).toHaveLength(1);
    // The echo that comes after all is no event.
    await echo(200005, 'late');
    const events = await laterStatus(200005);
    expect(events.map(({ value: { type } }) => type)).toEqual(['OrderApproved', 'OrderReady']);
  });

  it('sends again after a 5xx when the status is as before (rules 16, 17)', async () => {
    await paid(200006);
    const answers: Script[] = [() => ({ status: 503 }), accepting];
    app.platform.on.status = (request) => (answers.shift() ?? accepting)(request);
    app.platform.on.read = () => ({ status: 200, json: { code: 300 } });
    await start(200006);
    await patches(200006, 2);
    await echo(200006);
    const { value } = await app.resultOf('c-200006');
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'event', attempts: 2 });
  });

  it('is no attempt when the platform answers 429, and is sent when it may be (rule 17)', async () => {
    await paid(200007);
    const answers: Script[] = [() => ({ status: 429, headers: { 'retry-after': '1' } })];
    app.platform.on.status = (request) => (answers.shift() ?? accepting)(request);
    await start(200007);
    await patches(200007, 2);
    await echo(200007);
    expect((await app.resultOf('c-200007')).value).toMatchObject({ outcome: 'applied', attempts: 1 });
  });

  it('is rejected without a call where the contract demands it', async () => {
    await app.notify({ data: orderData({ number: 200010, status: 500, updatedAt: '2026-11-20T10:16:00' }) });
    await app.stored(200010, 1);
    await start(200009);
    await start(200010);
    await app.badCommand({ commandId: 'c-unknown', command: 'ShipIt', orderNumber: 200010 });
    await app.badCommand({ commandId: 'c-extra', command: 'StartPreparation', orderNumber: '200010', orderNumbr: 1 });
    await app.badCommand({ commandId: 'c-none', command: 'StartPreparation' });
    const reasons = await Promise.all(
      ['c-200009', 'c-200010', 'c-unknown', 'c-extra', 'c-none'].map(async (commandId) => {
        const { value } = await app.resultOf(commandId);
        const reason = value['reason'] as { code: string; field?: string; hint?: string };
        expect(value).toMatchObject({ outcome: 'invalid', attempts: 0, final: true });
        return [reason.code, reason.field, reason.hint?.includes('orderNumber') ?? false];
      }),
    );
    expect(reasons).toEqual([
      ['ORDER_UNKNOWN', undefined, false],
      ['NOT_PAID', undefined, false],
      ['COMMAND_UNKNOWN', 'command', false],
      ['FIELD_UNKNOWN', 'orderNumbr', true],
      ['FIELD_REQUIRED', 'orderNumber', false],
    ]);
    expect(app.platform.requestsOf(200009, 'PATCH')).toEqual([]);
  });

  it('ends in a dead letter where not even its identity can be read', async () => {
    await app.badCommand('no json', { ce_tenant: 'acme' });
    await app.badCommand({ command: 'StartPreparation', orderNumber: 1 });
    await app.command({ commandId: 'x', command: 'StartPreparation', orderNumber: 1, tenant: 'somebody' });
    const letters = await app.deadLetter(3);
    expect(new Set(letters.map(({ headers }) => headers['ce_reasoncode']))).toEqual(
      new Set(['NOT_JSON', 'IDENTITY_MISSING', 'TENANT_UNKNOWN']),
    );
    expect(app.results('x')).toEqual([]);
    expect(letters.find(({ headers }) => headers['ce_reasoncode'] === 'NOT_JSON')?.headers).toMatchObject({
      ce_tenant: 'acme',
      traceparent: expect.stringMatching(TRACEPARENT),
    });
  });

  it('has one trace from its record to all that follows, its own or one begun for it', async () => {
    const own = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const command = { command: 'StartPreparation', orderNumber: 200090 };
    await app.command({ ...command, commandId: 'c-traced' }, { traceparent: own });
    await app.command({ ...command, commandId: 'c-bare' });
    await app.command({ ...command, commandId: 'c-odd' }, { traceparent: 'nonsense' });
    await app.command({ ...command, commandId: 'c-nul' }, { traceparent: `${own}\0`, 'x-erp': 'a\0b' });
    const traceOf = async (commandId: string) => (await app.resultOf(commandId)).headers['traceparent'];
    expect(await traceOf('c-traced')).toBe(own);
    const begun = [await traceOf('c-bare'), await traceOf('c-odd'), await traceOf('c-nul')];
    expect(begun).toEqual(begun.map(() => expect.stringMatching(TRACEPARENT)));
    expect(new Set(begun)).toHaveProperty('size', 3);
    // A conflict is answered at once, from the record itself.
    await app.command({ ...command, commandId: 'c-traced', requestedBy: 'other' });
    expect((await app.resultOf('c-traced', 2)).headers['traceparent']).toMatch(TRACEPARENT);
  });

  it('without a readable order has results in the place of their command', async () => {
    await app.badCommand({ commandId: 'c-nowhere', command: 'StartPreparation' });
    const { headers } = await app.resultOf('c-nowhere');
    expect(headers).toMatchObject({ ce_partitionkey: 'acme/command/c-nowhere' });
    expect(headers).not.toHaveProperty('ce_subject');
  });

  it('is carried out once however often it arrives, and distinguished from another command with its id (rule 19)', async () => {
    await paid(200011);
    await start(200011);
    await start(200011);
    await patches(200011, 1);
    const other = { commandId: 'c-200011', command: 'StartPreparation', orderNumber: 200011, requestedBy: 'other' };
    await app.command(other);
    const conflict = await app.resultOf('c-200011');
    expect(conflict.key).toMatch(/^acme:result:erp\.orders\.commands\.v1:c-200011:invalid:[0-9a-f]{16}$/);
    expect(conflict.value).toMatchObject({ reason: { code: 'DUPLICATE_COMMAND' }, conflictsWith: null });
    await echo(200011);
    expect((await app.resultOf('c-200011', 2)).value).toMatchObject({ outcome: 'applied' });
    await start(200011);
    await app.command({ ...other, requestedBy: 'another' });
    const later = await app.resultOf('c-200011', 3);
    expect(later.value).toMatchObject({ conflictsWith: 'acme:result:erp.orders.commands.v1:c-200011:applied' });
    expect(app.platform.requestsOf(200011, 'PATCH')).toHaveLength(1);
  });

  it('waits behind the command before it, one at a time per order (rule 19)', async () => {
    await paid(200012);
    await start(200012, 'first');
    await start(200012, 'second');
    const waits = async (): Promise<{ for: string }[]> => {
      const { openCommands } = (await app.get('/api/orders/200012')).body as {
        openCommands: { waits: { for: string } }[];
      };
      return openCommands.map((open) => open.waits);
    };
    await app.until(async () => {
      const [first, second] = await waits();
      return first?.for === 'outcome' && second !== undefined;
    });
    expect(await waits()).toEqual([{ for: 'outcome' }, { for: 'earlier-command', commandId: 'first' }]);
    await echo(200012);
    expect((await app.resultOf('second')).value).toMatchObject({ outcome: 'unchanged', evidence: 'already-in-state' });
    expect(app.platform.requestsOf(200012, 'PATCH')).toHaveLength(1);
  });

  it('leaves no personal data in the log or in the operations API', async () => {
    const { body } = await app.get('/api/orders/200001');
    const shown = `${app.installation.logLines.join('\n')}${JSON.stringify(body)}`;
    expect(app.installation.logLines.length).toBeGreaterThan(10);
    expect(CANARIES.filter((canary) => shown.includes(canary))).toEqual([]);
  });

  async function patches(number: number, count: number): Promise<void> {
    await app.until(() => app.platform.requestsOf(number, 'PATCH').length >= count);
  }
});
