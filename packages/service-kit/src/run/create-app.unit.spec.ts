import { once } from 'node:events';
import { connect } from 'node:net';
import { Server } from '@nestjs/microservices';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiProperty } from '../http/api-docs.ts';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Gauge, Registry } from 'prom-client';
import { lastValueFrom } from 'rxjs';
import type { AppOptions } from './app-options.ts';
import type { RunningApp } from './create-app.ts';
import { Health } from '../health/health.ts';
import { LOGGER } from '../logging/logger.ts';
import { createLogger } from '../logging/logger.ts';
import { RepeatingTask } from './repeating-task.ts';
import { MetricsController } from '../health/metrics.controller.ts';
import { openApiGaps } from '../testing/openapi-gaps.ts';
import { ask, failing, HANDLER_ERROR, OPERATIONS_TOKEN, part, shelfApp } from '../testing/shelf-app.ts';

class Shelf {
  @ApiProperty({ type: String, nullable: true })
  readonly tenant!: string | null;
}

const lines: string[] = [];
const running: RunningApp[] = [];

async function app(options: Partial<AppOptions> = {}): Promise<RunningApp> {
  const made = await shelfApp(lines, options);
  running.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((made) => made.stop()));
  lines.splice(0);
});

class FakeTransport extends Server implements CustomTransportStrategy {
  readonly story: string[];
  readonly tryListen: () => Promise<unknown>;

  constructor(story: string[], tryListen: () => Promise<unknown>) {
    super();
    this.story = story;
    this.tryListen = tryListen;
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    const failure = await this.tryListen().catch((error: unknown) => error);
    if (failure === undefined) this.story.push('transport listens');
    callback(failure);
  }

  close(): void {
    this.story.push('transport closed');
  }

  /** Delivers a record as a transport would; returns the handler's error. */
  async deliver(pattern: string, payload: unknown): Promise<unknown> {
    const handler = this.getHandlerByPattern(pattern);
    if (handler === null) throw new Error('No handler');
    const result = this.transformToObservable(await handler(payload));
    return lastValueFrom(result, { defaultValue: undefined }).catch((error: unknown) => error);
  }

  on(): never {
    throw new Error('not used');
  }

  unwrap(): never {
    throw new Error('not used');
  }
}

describe('createApp, starting and stopping', () => {
  it('is live and not ready while a startable starts, ready after all started, and stops them in reverse', async () => {
    const story: string[] = [];
    const gate = Promise.withResolvers<void>();
    const shelf = await app({ startables: () => [part('one', story), part('two', story, () => gate.promise)] });
    const started = shelf.start();
    await shelf.listen();
    expect(await ask(shelf, '/health/live')).toMatchObject({ status: 200, body: { status: 'live', checks: {} } });
    expect(await ask(shelf, '/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'starting', checks: { two: { ok: false, state: 'starting' } } },
    });
    gate.resolve();
    await started;
    expect(await ask(shelf, '/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { one: { ok: true, required: true, state: 'started' } } },
    });
    const { url } = shelf;
    await Promise.all([shelf.stop(), shelf.stop()]);
    expect(story).toEqual(['one started', 'two started', 'two stopped', 'one stopped']);
    await expect(fetch(url).catch(() => 'closed')).resolves.toBe('closed');
  });

  it('retries a startable after transient failures, and shows the reason in log and readiness', async () => {
    const story: string[] = [];
    const shelf = await app({ startables: () => [part('kafka', story, failing(3)), part('after', story)] });
    await shelf.start();
    expect(story).toEqual(['kafka started', 'after started']);
    const retries = lines
      .filter((line) => line.includes('Could not start yet'))
      .map((line) => JSON.parse(line) as object);
    expect(retries).toMatchObject([
      { attempts: 1, retryInMs: 1 },
      { attempts: 2, retryInMs: 2 },
      { attempts: 3, retryInMs: 4 },
    ]);
    expect(retries[0]).toMatchObject({ level: 'warn', startable: 'kafka', err: { code: 'ECONNREFUSED' } });
  });

  it('shows the startable that is retried, and stops at once although it waits', async () => {
    const shelf = await app({
      startables: () => [part('kafka', [], failing(1_000))],
      timings: { retryFirstMs: 60_000, retryMostMs: 60_000 },
    });
    const started = shelf.start();
    await shelf.listen();
    const report = await ask(shelf, '/health/ready');
    expect(report).toMatchObject({
      status: 503,
      body: { checks: { kafka: { ok: false, state: 'retrying', attempts: 1, reason: 'ECONNREFUSED' } } },
    });
    await shelf.stop();
    await started;
  });

  it('fails on a permanent failure, after it stopped the started ones', async () => {
    const story: string[] = [];
    const wrong = part('two', story, () => Promise.reject(new Error('wrong password')));
    const shelf = await app({ startables: () => [part('one', story), wrong, part('three', story)] });
    await expect(shelf.start()).rejects.toThrow('wrong password');
    expect(story).toEqual(['one started', 'two stopped', 'one stopped']);
  });

  it('is ready without a background startable, which it retries and shows', async () => {
    const story: string[] = [];
    const gate = Promise.withResolvers<void>();
    const slow = { ...part('kafka', story, () => gate.promise), background: true };
    const shelf = await app({ startables: () => [slow, part('after', story)] });
    await shelf.start();
    expect(await ask(shelf, '/health/ready')).toMatchObject({
      status: 200,
      body: { checks: { kafka: { ok: false, required: false, state: 'starting' }, after: { ok: true } } },
    });
    gate.resolve();
    await shelf.stop();
    expect(story).toEqual(['after started', 'kafka started', 'after stopped', 'kafka stopped']);
  });

  it('reports when a background startable fails permanently', async () => {
    const broken = { ...part('kafka', [], () => Promise.reject(new TypeError('a bug'))), background: true };
    const shelf = await app({ startables: () => [broken] });
    await shelf.start();
    await expect(shelf.failure).resolves.toThrow('a bug');
  });

  it('stops the others if one startable fails to stop', async () => {
    const story: string[] = [];
    const stuck = { ...part('stuck', story), stop: () => Promise.reject(new Error('no')) };
    const shelf = await app({ startables: () => [part('one', story), stuck] });
    await shelf.start();
    await shelf.stop();
    expect(story.at(-1)).toBe('one stopped');
    expect(lines.join('')).toContain('A startable did not stop cleanly');
  });

  it('abandons and names a startable that does not stop, in time to stop the others', async () => {
    const story: string[] = [];
    const stuck = (name: string) => ({ ...part(name, story), stop: () => new Promise<void>(() => {}) });
    const shelf = await app({
      startables: () => [part('one', story), stuck('two'), part('three', story), stuck('four')],
      // Time for the others to stop, on a busy machine too.
      timings: { shutdownMs: 4_000 },
    });
    await shelf.start();
    await shelf.stop();
    expect(story.slice(4)).toEqual(['three stopped', 'one stopped']);
    expect(shelf.leftBehind).toEqual(['four', 'two']);
    expect(lines.filter((line) => line.includes('A startable did not stop in time'))).toHaveLength(2);
  });

  it('starts the transport last, with retries, and stops it first', async () => {
    const story: string[] = [];
    const transport = new FakeTransport(story, failing(2));
    const shelf = await app({ startables: () => [part('one', story)], microservice: () => transport });
    await shelf.start();
    await shelf.stop();
    expect(story.slice(0, 4)).toEqual(['one started', 'transport listens', 'transport closed', 'one stopped']);
  });

  it('passes on the error of a record handler unchanged', async () => {
    const transport = new FakeTransport([], async () => {});
    const shelf = await app({ microservice: () => transport });
    await shelf.start();
    expect(await transport.deliver('shelf.filled', 'broken')).toBe(HANDLER_ERROR);
    expect(await transport.deliver('shelf.filled', 'whole')).toBeUndefined();
  });

  it('is not ready if a check fails, throws or does not answer', async () => {
    const shelf = await app();
    await shelf.start();
    const health = shelf.app.get(Health);
    let isFull = false;
    health.register('disk', () => {
      if (isFull) throw Object.assign(new Error('cliente@example.com'), { code: 'ENOSPC' });
      return true;
    });
    health.register('colour', () => false, { required: false });
    expect((await ask(shelf, '/health/ready')).status).toBe(200);
    isFull = true;
    const report = await ask(shelf, '/health/ready');
    expect(report).toMatchObject({
      status: 503,
      body: {
        status: 'failing',
        checks: { disk: { ok: false, reason: 'ENOSPC' }, colour: { ok: false, required: false } },
      },
    });
    expect(JSON.stringify(report.body)).not.toContain('cliente');
    expect(() => health.register('disk', () => true)).toThrow('already');
  });
});

describe('createApp, over HTTP', () => {
  it('answers every error as JSON with a code, without stack, URL or internal text', async () => {
    const shelf = await app();
    await shelf.start();
    const answers = {
      broken: await ask(shelf, '/broken'),
      nothing: await ask(shelf, '/nothing?token=abc'),
      refused: await ask(shelf, '/refused'),
      malformed: await ask(shelf, '/%zz'),
    };
    expect(answers.broken).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL', message: 'Internal error' } },
    });
    expect(answers.nothing).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'Not found' } },
    });
    expect(answers.refused).toMatchObject({
      status: 404,
      body: { error: { code: 'ORDER_UNKNOWN', message: 'No such order' } },
    });
    expect(answers.malformed).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } });
    expect(JSON.stringify(answers)).not.toMatch(/abc|cliente|at .*\.ts/);
    expect(lines.join('')).toContain('A request failed');
    expect(lines.join('')).not.toMatch(/cliente|token=abc/);
  });

  it('refuses bodies that are too large or not JSON', async () => {
    const shelf = await app({ httpOptions: { bodyLimitBytes: 100 } });
    await shelf.start();
    const post = (body: string) =>
      ask(shelf, '/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await post('{"a":1}')).toMatchObject({ status: 201, body: { body: { a: 1 } } });
    expect(await post('{"a":')).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } });
    expect(await post(JSON.stringify('x'.repeat(100)))).toMatchObject({
      status: 413,
      body: { error: { code: 'TOO_LARGE' } },
    });
    expect(
      await ask(shelf, '/echo', { method: 'POST', headers: { 'content-type': 'text/x' }, body: 'x' }),
    ).toMatchObject({
      status: 415,
      body: { error: { code: 'MEDIA_TYPE' } },
    });
  });

  it('refuses headers that are too large, with a JSON answer', async () => {
    const shelf = await app();
    await shelf.start();
    const answer = await ask(shelf, '/trace', { headers: { cookie: 'x'.repeat(20_000) } });
    expect(answer).toMatchObject({ status: 431, body: { error: { code: 'HEADERS_TOO_LARGE' } } });
  });

  it('answers 408 to a request that does not arrive in time, and cuts it off', async () => {
    const shelf = await app({ httpOptions: { requestTimeoutMs: 200 } });
    await shelf.start();
    const { hostname, port } = new URL(shelf.url);
    const socket = connect(Number(port), hostname);
    const chunks: string[] = [];
    socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{');
    await once(socket, 'close');
    expect(chunks.join('')).toMatch(/^HTTP\/1\.1 408 .*\r\n\r\n\{"error"/s);
  });

  it('lets an app read bodies itself', async () => {
    const shelf = await app({
      httpOptions: {
        bodyParser: false,
        prepare: (fastify) => {
          fastify.removeAllContentTypeParsers();
          fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body.length));
        },
      },
    });
    await shelf.start();
    expect(await ask(shelf, '/echo', { method: 'POST', body: '{"broken' })).toMatchObject({ body: { body: 8 } });
  });

  const GUARDED = ['/api', '/api/info', '/api/shelves', '/api/none', '/%61pi/shelves'];
  const OPEN = ['/health/live', '/health/ready', '/metrics', '/trace'];

  it('guards /api by the token, paths without a route included', async () => {
    const shelf = await app();
    await shelf.start();
    for (const path of GUARDED) {
      const answer = await fetch(`${shelf.url}${path}`);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 401,
        body: { error: { code: 'UNAUTHORIZED' } },
      });
    }
    expect((await ask(shelf, '/%61pi/shelves')).status).toBe(200);
    for (const path of OPEN) expect((await fetch(`${shelf.url}${path}`)).status).toBe(200);
  });

  it('refuses NUL, which PostgreSQL cannot store, in any address of the operations API', async () => {
    const shelf = await app();
    await shelf.start();
    for (const path of ['/api/shelves/%00', '/api/shelves?name=a%00b', '/api/shelves?a%00=b', '/api/%00']) {
      const body = { error: { code: 'BAD_REQUEST', message: expect.stringContaining('NUL') } };
      expect(await ask(shelf, path)).toMatchObject({ status: 400, body });
    }
  });

  it('reports that it has no operations API without a token', async () => {
    const shelf = await app({ config: { http: { host: '127.0.0.1', port: 0, operationsToken: null } } });
    await shelf.start();
    for (const path of GUARDED) {
      const sentence = expect.stringMatching(/desligada: defina OPERATIONS_TOKEN .* is off: set OPERATIONS_TOKEN/);
      const body = { error: { code: 'FORBIDDEN', message: sentence } };
      expect(await ask(shelf, path)).toMatchObject({ status: 403, body });
    }
    for (const path of OPEN) expect((await ask(shelf, path)).status).toBe(200);
    expect(lines.some((line) => line.includes('The operations API is off'))).toBe(true);
  });

  it('answers /api, /metrics and /health only on the port of operations, if it has one', async () => {
    const http = { host: '127.0.0.1', port: 0, operationsToken: OPERATIONS_TOKEN, operationsPort: 0 };
    const shelf = await app({ config: { http } });
    await shelf.start();
    expect(shelf.operationsUrl).not.toBe(shelf.url);
    const operations = { url: shelf.operationsUrl };
    for (const path of ['/api/shelves', '/%61pi/shelves', '/metrics', '/health/live', '/health/ready']) {
      expect((await ask(operations, path)).status).toBe(200);
      expect(await ask(shelf, path)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    }
    for (const path of ['/api/none', '/apis']) expect((await ask(operations, path)).status).toBe(404);
    expect((await fetch(`${shelf.operationsUrl}/api/shelves`)).status).toBe(401);
    expect((await ask(shelf, '/trace')).status).toBe(200);
    expect((await ask(operations, '/trace')).status).toBe(404);
    await shelf.stop();
    await expect(ask(operations, '/health/live')).rejects.toThrow('fetch failed');
  });

  it('answers name, version, uptime and startables, and describes itself with the routes of the app', async () => {
    const shelf = await app({
      startables: () => [part('one', [])],
      openApi: [
        {
          paths: { '/direct': { post: { summary: 'Outside Nest' } } },
          models: [Shelf],
          securitySchemes: { shelfToken: { type: 'apiKey', in: 'header', name: 'Shelf' } },
        },
      ],
    });
    await shelf.start();
    expect((await ask(shelf, '/api/info')).body).toEqual({
      name: 'shelf-keeper',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      phase: 'ready',
      uptimeMs: expect.any(Number),
      startables: { one: { state: 'started' } },
    });
    const { body } = await ask(shelf, '/api/openapi.json');
    expect(body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Gondola shelf-keeper' },
      components: {
        schemas: { Shelf: { properties: { tenant: { type: ['string', 'null'] } } }, Error: {}, Readiness: {} },
        securitySchemes: { operationsToken: { scheme: 'bearer' }, shelfToken: { name: 'Shelf' } },
      },
    });
    const document = body as OpenAPIObject;
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/health/live', '/health/ready', '/metrics', '/api/info', '/api/shelves', '/direct']),
    );
    expect(document.paths['/health/live']).toMatchObject({ get: { security: [] } });
    // Filters out the shelf's routes that have no decorators on purpose; the route outside Nest remains.
    const gaps = openApiGaps(document).filter((gap) => !/ \/(?:trace|broken|refused|echo)/.test(gap));
    expect(gaps).toEqual(['POST /direct has no operationId', 'POST /direct has no answer that is a success']);
    expect(openApiGaps(document)).toContain('GET /trace has no summary');
  });

  it('collects metrics once for all simultaneous callers', async () => {
    const shelf = await app();
    const gate = Promise.withResolvers<void>();
    let collections = 0;
    const collect = async (): Promise<void> => {
      collections += 1;
      await gate.promise;
    };
    shelf.app.get(Registry).registerMetric(new Gauge({ name: 'shelves', help: 'Shelves', registers: [], collect }));
    await shelf.start();
    const controller = shelf.app.get(MetricsController, { strict: false });
    const reply = { header: () => undefined } as unknown as FastifyReply;
    const answers = [controller.metrics(reply), controller.metrics(reply)];
    gate.resolve();
    expect(new Set(await Promise.all(answers)).size).toBe(1);
    expect(collections).toBe(1);
    await controller.metrics(reply);
    expect(collections).toBe(2);
  });

  it('shows its own metrics only, in the text form of Prometheus', async () => {
    const [one, two] = [await app(), await app()];
    await Promise.all([one.start(), two.start()]);
    const { headers, body } = await ask(one, '/metrics');
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(body).toMatch(/^process_cpu_seconds_total /m);
  });

  it('shows when a repeated task last ran without a failure', async () => {
    const gate = Promise.withResolvers<void>();
    const [hourly, broken] = [async () => gate.resolve(), () => Promise.reject(new Error('the disk is full'))];
    const logger = createLogger({ app: 'shelf', level: 'silent' });
    const tasks = { 'clean-up': hourly, sweep: broken };
    const repeated = Object.entries(tasks).map(
      ([name, run]) => new RepeatingTask({ name, everyMs: 60_000, run, logger }),
    );
    const shelf = await app({ startables: () => repeated });
    await shelf.start();
    await gate.promise;
    const { body } = await ask(shelf, '/metrics');
    expect(body).toMatch(/^gondola_task_last_run_timestamp_seconds\{task="clean-up"\} [1-9]/m);
    expect(body).not.toContain('task="sweep"');
  });

  it("continues the caller's trace or starts one, and logs the request with it", async () => {
    const shelf = await app();
    await shelf.start();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const taken = await ask(shelf, '/trace?document=1', {
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    expect(taken.body).toEqual({
      traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`)),
    });
    const made = await ask(shelf, '/trace', { headers: { traceparent: 'nonsense' } });
    expect(made.body).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) });

    await shelf.stop();
    const line = lines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find((entry) => entry['traceId'] === traceId);
    expect(line).toMatchObject({ level: 'debug', method: 'GET', route: '/trace', statusCode: 200 });
    expect(lines.join('')).not.toContain('document');
  });

  it('provides the logger for injection', async () => {
    const shelf = await app();
    expect(shelf.app.get(LOGGER)).toHaveProperty('child');
    expect(() => shelf.url).toThrow('does not listen');
  });
});
