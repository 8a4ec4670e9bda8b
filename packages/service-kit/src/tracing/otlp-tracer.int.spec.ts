import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { freePort } from '@gondola/local-stack/free-port';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TracingConfig } from '../config/tracing-config.ts';
import { createLogger } from '../logging/logger.ts';
import { ask, shelfApp } from '../testing/shelf-app.ts';
import { otlpTracer, reporting } from './otlp-tracer.ts';
import type { SpanStart } from './tracing.ts';

const SAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const UNSAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';

const root: SpanStart = { name: 'look', kind: 'internal', parent: null };
const silent = createLogger({ app: 'kit', level: 'silent' });
let arrived: { type: string | undefined; authorization: string | undefined; body: Buffer }[];
let collector: Server;
let config: TracingConfig;

beforeEach(async () => {
  arrived = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-type': type, authorization } = request.headers;
    arrived.push({ type, authorization, body: await buffer(request) });
    response.writeHead(200).end();
  };
  collector = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  config = {
    url: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    protocol: 'http/protobuf',
    headers: { authorization: 'Basic key' },
    serviceName: 'shelf-keeper',
    sampler: 'parentbased_always_on',
    ratio: 1,
  };
});

afterEach(() => {
  collector.close();
  collector.closeAllConnections();
});

describe('the tracer', () => {
  it('sends spans as protobuf with the headers, at the latest when it stops', async () => {
    const tracer = await otlpTracer(config, '1.0.0', silent);
    tracer.start({ ...root, parent: SAMPLED })?.end();
    await tracer.stop();
    const [{ type, authorization, body }] = arrived as [(typeof arrived)[number]];
    expect({ type, authorization }).toEqual({ type: 'application/x-protobuf', authorization: 'Basic key' });
    expect(body.toString('latin1')).toMatch(/shelf-keeper.*look/s);
  });

  it('continues the trace of its parent, and begins no span if that is not sampled', async () => {
    const tracer = await otlpTracer(config, '1.0.0', silent);
    const span = tracer.start({ ...root, parent: SAMPLED })!;
    expect(span.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/);
    expect(tracer.start({ ...root, parent: UNSAMPLED })).toBeNull();
    await tracer.stop();
  });

  it('samples its own traces by the ratio, and follows the ERP for the others', async () => {
    const tracer = await otlpTracer({ ...config, sampler: 'parentbased_traceidratio', ratio: 0 }, '1.0.0', silent);
    const span = tracer.start(root)!;
    expect({ isRecorded: span.isRecorded, flags: span.traceparent.slice(-3) }).toEqual({
      isRecorded: false,
      flags: '-00',
    });
    span.end();
    expect(tracer.start({ ...root, parent: SAMPLED })!.isRecorded).toBe(true);
    await tracer.stop();
  });
});

describe('a collector that is away', () => {
  it('delays no request, and the stop by at most a second', async () => {
    const lines: string[] = [];
    const away = { ...config, url: `http://127.0.0.1:${await freePort()}/v1/traces` };
    const http = { host: '127.0.0.1', port: 0, operationsToken: null };
    const shelf = await shelfApp(lines, { config: { http, tracing: away } });
    await shelf.start();
    expect(await ask(shelf, '/trace', { headers: { traceparent: SAMPLED } })).toMatchObject({ status: 200 });
    await shelf.stop();
    expect(shelf.leftBehind).toEqual([]);
  });

  it('is reported at most once in five minutes, with the number of spans', () => {
    const lines: string[] = [];
    const logger = createLogger({ app: 'kit', level: 'warn', destination: { write: (line) => lines.push(line) } });
    let now = 0;
    const failing = {
      export: (_spans: unknown, done: (result: { code: number; error: Error }) => void) =>
        done({ code: 1, error: new Error('connect ECONNREFUSED') }),
      shutdown: async () => {},
    };
    const exporter = reporting(failing, logger, () => now);
    const spans = [{}, {}] as Parameters<typeof exporter.export>[0];
    for (now of [0, 1_000, 299_000, 300_000]) exporter.export(spans, () => {});
    expect(lines.map((line) => (JSON.parse(line) as { count: number }).count)).toEqual([2, 6]);
  });
});
