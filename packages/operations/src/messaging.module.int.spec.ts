import { Controller, type DynamicModule, Module, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { asOperator, TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createApp, type RunningApp } from '@gondola/service-kit/run/create-app';
import { Database } from '@gondola/service-kit/database/database';
import { openApiGaps } from '@gondola/service-kit/testing/openapi-gaps';

import { BatchIntake } from '@gondola/lanes/intake/batch-intake';
import { messagingMigrations } from '@gondola/lanes/messaging-tables';
import { MessagingModule, messagingServer } from './messaging.module.ts';
import { recordingLogger } from '@gondola/kafka/testing/quiet-logger';
import { createFacts, decodeFact, insertFacts, TEST_APP, valuesOf } from '@gondola/lanes/testing/test-consumer';
import { openTestDatabase, TEST_QUERY_TIMEOUT_MS, type TestDatabase } from '@gondola/lanes/testing/test-database';
import { openTestKafka, TEST_PARTITIONS, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import { TopicHandler } from '@gondola/kafka/server/topic-handler';
import type { RecordBatch } from '@gondola/kafka/server/topic-handler';

const TOPIC = 'erp.orders.commands.v1';

/** Errors that `OrdersConsumer` throws instead of storing, once each. */
let troubles: Error[] = [];

@Controller()
class OrdersConsumer {
  readonly #intake: BatchIntake;

  constructor(intake: BatchIntake) {
    this.#intake = intake;
  }

  @TopicHandler(TOPIC)
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    const trouble = troubles.shift();
    if (trouble !== undefined) throw trouble;
    await this.#intake.store(batch, decodeFact, insertFacts);
  }
}

@Controller()
class SecondConsumer {
  @TopicHandler(TOPIC)
  async handle(@Payload() _batch: RecordBatch): Promise<void> {}
}

@Controller()
class ForeignConsumer {
  @TopicHandler('catalog.skus.v1')
  async handle(@Payload() _batch: RecordBatch): Promise<void> {}
}

@Module({})
class TestAppModule {}

describe('an app with the messaging module', () => {
  let kafka: TestKafka;
  let test: TestDatabase;
  let apps: RunningApp[];

  beforeAll(async () => {
    test = await openTestDatabase('messaging-module');
    await createFacts(test.database);
  });

  beforeEach(async () => {
    kafka = await openTestKafka('messaging-module', []);
    await test.database.query('TRUNCATE facts, dead_letters, outbox');
    apps = [];
    troubles = [];
  });

  afterEach(async () => {
    await Promise.all(apps.map((running) => running.stop()));
    await kafka.close();
  });

  afterAll(async () => {
    await test.close();
  });

  async function boot(controllers: Type[]): Promise<RunningApp & { lines: unknown[] }> {
    const { logger, lines } = recordingLogger();
    const messaging = MessagingModule.register({ reads: [TOPIC], writes: ['erp.orders.events.v1'] });
    const http = { host: '127.0.0.1', port: 0, operationsToken: TEST_OPERATIONS_TOKEN };
    const config = { http, kafka: kafka.config };
    const module: DynamicModule = { module: TestAppModule, imports: [messaging], controllers };
    const running = await createApp({
      name: TEST_APP,
      module,
      config,
      logger,
      database: new Database({
        url: test.url,
        schema: test.schema,
        migrations: messagingMigrations,
        queryTimeoutMs: TEST_QUERY_TIMEOUT_MS,
      }),
      microservice: messagingServer,
    });
    apps.push(running);
    return Object.assign(running, { lines });
  }

  function stored(value: string): Promise<unknown> {
    return waitFor(async () => (await valuesOf(test.database)).includes(value), {
      describe: `"${value}" to be stored`,
    });
  }

  it('creates its topics, consumes, reports its metrics, and serves its dead letters', async () => {
    const app = await boot([OrdersConsumer]);
    await app.start();
    // A partition of a new topic may have no leader for a moment.
    const ends = await waitFor(() => kafka.ends('erp.orders.events.v1'), { describe: 'a topic that the app writes' });
    expect(ends).toHaveLength(TEST_PARTITIONS);
    await kafka.produce(TOPIC, [
      { key: null, value: 'not-json' },
      { key: 'k', value: 'good' },
    ]);
    await stored('good');
    const published = async (): Promise<number> =>
      (await kafka.ends('dead-letters.v1')).reduce((sum, end) => sum + end, 0);
    await waitFor(async () => (await published()) > 0, { describe: 'the dead letter on its topic' });
    const counted = `gondola_records_dead_lettered_total{topic="${TOPIC}",code="NOT_JSON"} 1`;
    await waitFor(async () => (await (await fetch(`${app.url}/metrics`)).text()).includes(counted), {
      describe: counted,
    });

    const list = (await (await asOperator(`${app.url}/api/dead-letters?topic=${TOPIC}`)).json()) as {
      deadLetters: Array<{ id: string }>;
    };
    expect(list).toMatchObject({ deadLetters: [{ topic: TOPIC, code: 'NOT_JSON', redriven: 0 }], next: null });
    const url = `${app.url}/api/dead-letters/${encodeURIComponent(list.deadLetters[0]!.id)}`;
    expect(await (await asOperator(url)).json()).toMatchObject({ keyBytes: null, valueBytes: 8, headers: [] });
    expect(await (await asOperator(url)).text()).not.toMatch(/not-json|bm90LWpzb24/);
    const withBody = { key: null, value: { base64: 'bm90LWpzb24=', text: 'not-json' }, valueBytes: 8 };
    const audited = { kind: 'dead-letter', deadLetterId: list.deadLetters[0]!.id, bytes: 8, token: 'OPERATIONS_TOKEN' };
    expect(app.lines).not.toContainEqual(expect.objectContaining(audited));
    expect(await (await asOperator(`${url}?body=true`)).json()).toMatchObject(withBody);
    expect(app.lines).toContainEqual(expect.objectContaining(audited));
    const redrive = await asOperator(`${url}/redrive`, { method: 'POST' });
    expect(redrive.status).toBe(202);
    expect(await redrive.json()).toEqual({ id: list.deadLetters[0]!.id, redriven: 1 });
    const known = async (): Promise<unknown> => (await asOperator(url)).json();
    await waitFor(async () => ((await known()) as { failures: number }).failures === 2, {
      describe: 'the redriven record to fail again',
    });

    const asked = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const post = (path: string, body: object): Promise<Response> =>
      asOperator(`${app.url}/api/${path}`, { ...asked, body: JSON.stringify(body) });
    const filter = { topic: TOPIC, reason: 'NOT_JSON' };
    const groups = (await (await asOperator(`${app.url}/api/dead-letters/groups`)).json()) as object;
    expect(groups).toMatchObject({ groups: [{ ...filter, count: 1, isMore: false }] });
    const preview = await post('jobs/preview', { action: 'discard', ...filter });
    expect(await preview.json()).toEqual({ count: 1, isMore: false });
    for (const wrong of [
      { action: 'reprocess' },
      { action: 'discard' },
      { action: 'discard', note: 'x', from: 'now' },
    ]) {
      expect((await post('jobs', { ...wrong, confirm: true })).status).toBe(400);
    }
    const started = await post('jobs', { action: 'discard', ...filter, note: 'a test', confirm: true });
    expect(started.status).toBe(202);
    const { id } = (await started.json()) as { id: string };
    const job = async (): Promise<unknown> => (await asOperator(`${app.url}/api/jobs/${id}`)).json();
    await waitFor(async () => ((await job()) as { state: string }).state === 'finished', { describe: 'the job' });
    expect(await job()).toMatchObject({ action: 'discard', filter, done: 1, failed: 0, expected: { count: 1 } });
    expect(await known()).toMatchObject({ state: 'discarded', note: 'a test' });
    expect((await post(`jobs/${id}/stop?tenant=acme`, {})).status).toBe(404);
    expect(await (await post(`jobs/${id}/stop`, {})).json()).toMatchObject({ state: 'finished' });
    const listed = (await (await asOperator(`${app.url}/api/jobs`)).json()) as object;
    expect(listed).toMatchObject({ entries: [{ id }], next: null });

    expect((await asOperator(`${app.url}/api/dead-letters/none`)).status).toBe(404);
    expect((await asOperator(`${app.url}/api/dead-letters/none/redrive`, { method: 'POST' })).status).toBe(404);
    expect((await asOperator(`${app.url}/api/dead-letters?topic=none`)).status).toBe(400);
  });

  it('describes the routes of dead letters by their DTO classes', async () => {
    const app = await boot([OrdersConsumer]);
    await app.start();
    const document = (await (await asOperator(`${app.url}/api/openapi.json`)).json()) as OpenAPIObject;
    expect(openApiGaps(document)).toEqual([]);
    expect(document).toMatchObject({
      paths: {
        '/api/dead-letters': { get: { responses: { 200: {}, 400: {} } } },
        '/api/dead-letters/{id}': { get: { responses: { 200: {}, 404: {} } } },
        '/api/dead-letters/{id}/redrive': { post: { responses: { 202: {}, 404: {}, 409: {} } } },
      },
      components: { schemas: { DeadLetter: { properties: { tenant: { type: ['string', 'null'] } } } } },
    });
  });

  it('recognises a database error that a handler throws through Nest, and the partition waits', async () => {
    troubles = [Object.assign(new Error('could not obtain lock'), { code: '55P03', severity: 'ERROR' })];
    const app = await boot([OrdersConsumer]);
    await app.start();
    await kafka.produce(TOPIC, [{ key: 'k', value: 'good' }]);
    await stored('good');
    expect(app.lines).toContainEqual(
      expect.objectContaining({
        msg: 'The partition waits for the database',
        err: expect.objectContaining({ code: '55P03' }),
      }),
    );
  });

  it('does not boot without a handler for a topic that it reads', async () => {
    await expect((await boot([])).start()).rejects.toThrow(
      `${TEST_APP} reads ${TOPIC}, but none of its controllers has a @TopicHandler for it.`,
    );
  });

  it('does not boot with two handlers for a topic', async () => {
    await expect((await boot([OrdersConsumer, SecondConsumer])).start()).rejects.toThrow(
      `${TEST_APP} has 2 handlers for ${TOPIC}; a topic has exactly one.`,
    );
  });

  it('does not boot with a handler for a topic that it does not read', async () => {
    await expect((await boot([OrdersConsumer, ForeignConsumer])).start()).rejects.toThrow(
      `${TEST_APP} has a handler for catalog.skus.v1, which is not among the topics that it reads.`,
    );
  });
});
