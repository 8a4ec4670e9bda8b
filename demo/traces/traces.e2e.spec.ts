import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOPIC } from '../erp/erp.ts';
import { loadTheShelf } from '../play/day/load-the-shelf.ts';
import { endsAs, publishedAs } from '../play/step.ts';
import { testRun } from '../testing/test-run.ts';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';

const ERP_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ERP_SPAN = '00f067aa0ba902b7';
const BASKET = [{ skuExternalReference: '1078-1', quantity: 2, unitPrice: 18.9 }];

/** Attributes of spans; a new one is reviewed for personal data. */
const ATTRIBUTES = [
  'db.namespace',
  'db.system.name',
  'error.type',
  'gondola.command.id',
  'gondola.command.name',
  'gondola.lane.count',
  'gondola.lane.kind',
  'gondola.platform.route',
  'gondola.tenant',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.batch.message_count',
  'messaging.consumer.group.name',
  'messaging.destination.name',
  'messaging.destination.partition.id',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
  'server.address',
  'server.port',
  'url.template',
];

let collector: OtlpReceiver;
let order: number;
let approvedBy: string;
const commandId = randomUUID();

function inTrace(traceId: string): ReceivedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId);
}

function parentOf(span: ReceivedSpan): ReceivedSpan {
  const parent = collector.spans.find(({ traceId, spanId }) => {
    return traceId === span.traceId && spanId === span.parentSpanId;
  });
  if (parent === undefined) throw new Error(`The parent of ${span.name} did not arrive`);
  return parent;
}

/** A span and those above it. */
function upwards(span: ReceivedSpan): string[] {
  const isTop = span.parentSpanId === undefined || span.parentSpanId === '' || span.parentSpanId === ERP_SPAN;
  return [`${span.service}: ${span.name}`, ...(isTop ? [] : upwards(parentOf(span)))];
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`No span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

describe('traces by OpenTelemetry', () => {
  beforeAll(async () => {
    collector = await OtlpReceiver.start();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
    // Ends with all apps stopped, so all spans have arrived.
    await testRun(
      'traces',
      async ({ context }) => {
        await loadTheShelf(context);
        const basket = { items: BASKET, deliveryType: 'pickup', payment: 'approved' } as const;
        ({ number: order } = await context.shop.playOrder(basket));
        approvedBy = (await publishedAs(context, order, 'OrderApproved')).id;
        const headers = { traceparent: `00-${ERP_TRACE}-${ERP_SPAN}-01` };
        const value = { commandId, command: 'StartPreparation', orderNumber: order };
        await context.erp.send(TOPIC.orderCommands, [{ key: String(order), value, headers }]);
        await endsAs(context, commandId, 'applied');
        await context.shop.waitUntilQuiet(context.stepTimeoutMs);
      },
      { env },
    );
  });

  afterAll(() => collector.close());

  it('carry a command in the ERP’s trace over intake, lane and platform call to its result', () => {
    const spans = inTrace(ERP_TRACE);
    const app = 'order-command-handler';
    const intake = `${app}: process erp.orders.commands.v1`;
    expect(upwards(named(spans, 'PATCH /v1/Orders/{orderNumber}/status'))).toEqual([
      `${app}: PATCH /v1/Orders/{orderNumber}/status`,
      `${app}: step order`,
      intake,
    ]);
    expect(upwards(named(spans, 'send erp.orders.results.v1'))).toEqual([
      `${app}: send erp.orders.results.v1`,
      `${app}: step order`,
      intake,
    ]);
    expect(upwards(named(spans, 'transaction')).at(-1)).toBe(intake);
    expect(spans.map(({ service }) => service)).toEqual(spans.map(() => app));
    const steps = spans.filter(({ name }) => name === 'step order');
    expect(new Set(steps.map(({ attributes }) => attributes['gondola.command.id']))).toEqual(new Set([commandId]));
    expect(spans.filter(({ isFailed }) => isFailed)).toEqual([]);
  });

  it('link the command to the trace of the notification that concluded it, and back', () => {
    const linked = inTrace(ERP_TRACE).flatMap(({ name, links }) => links.map(({ traceId }) => ({ name, traceId })));
    const [{ name, traceId } = { name: '', traceId: '' }] = linked;
    expect(name).toBe('step order');
    const notified = inTrace(traceId);
    const step = notified.find(({ links }) => links.some((link) => link.traceId === ERP_TRACE));
    expect(upwards(step!)).toEqual([
      'order-command-handler: step order',
      'order-command-handler: process platform.notifications.orders.v1',
      'webhook-ingest: send platform.notifications.orders.v1',
      'webhook-ingest: POST /webhooks/platform',
    ]);
  });

  it('carry a notification of the platform over every app to the event', () => {
    expect(approvedBy).toContain(String(order));
    const sent = collector.spans.filter(({ name }) => name === 'send erp.orders.events.v1');
    expect(sent.map(upwards)).toContainEqual([
      'order-command-handler: send erp.orders.events.v1',
      'order-command-handler: step order',
      'order-command-handler: process platform.notifications.orders.v1',
      'webhook-ingest: send platform.notifications.orders.v1',
      'webhook-ingest: POST /webhooks/platform',
    ]);
  });

  it('link a batch of the catalog to the trace of each of its records', () => {
    const calls = collector.spans.filter(({ name }) => name === 'POST /v1/batch/Products');
    const reached = new Set(calls.flatMap(({ traceId, links }) => [traceId, ...links.map((link) => link.traceId)]));
    const products = collector.spans.filter(({ name }) => name === 'process erp.catalog.products.v1');
    expect(products.length).toBeGreaterThan(60);
    // One product of the day is refused before any call.
    expect(products.filter(({ traceId }) => !reached.has(traceId)).length).toBeLessThanOrEqual(1);
  });

  it('say nothing about a shopper, an order or a SKU', () => {
    const said = collector.spans.flatMap(({ attributes }) => Object.entries(attributes));
    expect([...new Set(said.map(([key]) => key))].filter((key) => !ATTRIBUTES.includes(key))).toEqual([]);
    // The ids of commands and records are the ERP's own; this one makes them of its references.
    const values = said.flatMap(([key, value]) => (key === 'gondola.command.id' ? [] : [value]));
    values.push(...collector.spans.map(({ name }) => name));
    expect(values.filter((value) => value.includes(String(order)) || /1078|@|\?|Bearer|Basic/.test(value))).toEqual([]);
  });
});
