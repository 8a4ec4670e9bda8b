import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  asyncProperty,
  type Arbitrary,
  constantFrom,
  json,
  jsonValue,
  nat,
  oneof,
  record,
  string,
  uint8Array,
} from 'fast-check';
import type { TopicReader } from '@gondola/local-stack/topic-reader';
import type { RunningApp } from '@gondola/service-kit/create-app';
import { RELATED_ENTITY_KINDS } from '@gondola/shared/identities';
import { deliver, envelope } from '../src/testing/deliver.ts';
import { ACME, BAIRRO, BAIRRO_TOKEN, CATALOG, IngestBench, ORDERS, USERS } from '../src/testing/ingest-bench.ts';
import { sized } from '../src/testing/size.ts';

let bench: IngestBench;
let app: RunningApp;
let topics: TopicReader;

beforeAll(async () => {
  bench = await IngestBench.open('bytes');
  app = await bench.start();
  topics = await bench.read(ORDERS, CATALOG, USERS);
});

afterAll(async () => {
  await bench.close();
});

const ENTITIES = Object.keys(RELATED_ENTITY_KINDS);
const anyText = string({ unit: 'binary', maxLength: 300 });

/** Mostly what is right, sometimes something else. */
function mostly<T, U>(right: Arbitrary<T>, other: Arbitrary<U>): Arbitrary<T | U> {
  return oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: other });
}

const identities = record({
  number: oneof(nat(), anyText),
  id: anyText,
  externalReference: anyText,
  skuId: jsonValue(),
});
const product = record({ product: record({ externalReference: oneof(anyText, jsonValue()) }) });

/** Envelopes that are all right but for what stands in them, and text that is nearly one. */
const nearly: Arbitrary<string> = record({
  operationId: mostly(
    string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll('\0', '') + randomUUID()),
    oneof(anyText, jsonValue()),
  ),
  contractAccountId: mostly(constantFrom(ACME, ACME.toUpperCase()), constantFrom(BAIRRO, null)),
  relatedEntity: mostly(constantFrom(...ENTITIES), anyText),
  eventType: mostly(constantFrom('Order_Updated', 'Operation_Failed'), anyText),
  data: oneof(jsonValue(), identities, product),
  error: jsonValue(),
  indent: nat(2),
}).map(({ indent, ...value }) => {
  const text = JSON.stringify({ ...value, nonce: randomUUID() }, null, indent);
  // What no serialiser would write again: digits, an escape, a name twice.
  return text.replace('{', '{"amount":1.10,"amount":12345678901234567890,"note":"\\u00e9\\/" ,');
});

/** Bytes put into or cut out of what is nearly an envelope, JSON of any kind, and bytes of any kind. */
const anyBody: Arbitrary<Buffer> = oneof(
  { weight: 4, arbitrary: nearly.map((text) => Buffer.from(text)) },
  {
    weight: 3,
    arbitrary: record({ text: nearly, at: nat(), cut: nat(3), put: uint8Array({ maxLength: 3 }) }).map(
      ({ text, at, cut, put }) => {
        const bytes = Buffer.from(text);
        const start = at % bytes.length;
        return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + cut)]);
      },
    ),
  },
  { weight: 1, arbitrary: json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)) },
);

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('any bytes of a known sender', () => {
  it('are answered 200, stored as they were received, and passed on as they were stored (rule 4, guarantees 1, 6)', async () => {
    const sent = new Set<string>();
    await assert(
      asyncProperty(array(anyBody, { minLength: 20, maxLength: 20 }), async (bodies) => {
        const answers = await Promise.all(bodies.map((body) => deliver(app, body)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        for (const body of bodies) sent.add(hashOf(body));
      }),
      { numRuns: sized(15, 200), endOnFailure: true },
    );
    const stored = await bench.rows<{ hash: string; topic: string | null }>(
      `SELECT encode(sha256(body), 'hex') AS hash, topic FROM notifications
       UNION ALL SELECT encode(sha256(body), 'hex'), null FROM quarantine`,
    );
    expect(new Set(stored.map(({ hash }) => hash))).toEqual(sent);
    const relayed = stored.filter(({ topic }) => topic !== null);
    expect(relayed.length).toBeGreaterThan(sent.size / 8);
    await bench.everythingSent();
    const records = await topics.waitForRecords((seen) => seen.length >= relayed.length, { timeoutMs: 60_000 });
    const told = records.map(({ value }) => hashOf(value!));
    expect(told.toSorted()).toEqual(relayed.map(({ hash }) => hash).toSorted());
  });
});

describe('the longest body that is taken', () => {
  it('reaches its topic, beside many short ones (guarantee 1)', async () => {
    const short = Array.from({ length: 50 }, (_, number) => envelope({ data: { number, note: 'x'.repeat(40_000) } }));
    const bare = envelope({ data: { number: 1, note: '' } });
    const long = bare.replace('"note":""', `"note":"${'x'.repeat(5_000_000 - bare.length)}"`);
    const bodies = [...short, long];
    const answers = await Promise.all(bodies.map((body) => deliver(app, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const hashes = bodies.map((body) => hashOf(Buffer.from(body)));
    const records = await topics.waitForRecords((seen) => {
      const told = new Set(seen.map(({ value }) => hashOf(value!)));
      return hashes.every((hash) => told.has(hash));
    });
    expect(records.some(({ value }) => value!.length === 5_000_000)).toBe(true);
  });
});

const CANARIES = ['canario-teste-01', 'Cliente Teste 01', '39053344705', '390.533.447-05', '+55 11 98765-4321'];

/** The data of a customer, wherever the platform may put one; `more` holds what identifies the entity. */
function personal(more: Record<string, unknown>): Record<string, unknown> {
  const [mailbox, name, cpf, formatted, phone] = CANARIES;
  const email = `${mailbox}@example.com`;
  const user = { firstName: name, email, document: cpf, phoneNumber: phone, note: formatted };
  return {
    ...user,
    user,
    orderAddress: { street: name, number: phone },
    items: [user, [email, cpf]],
    [cpf!]: email,
    ...more,
  };
}

function about(relatedEntity: string, eventType: string, data: unknown) {
  return { relatedEntity, eventType, data };
}

describe('the personal data of a customer', () => {
  it('stand in values alone: in no log line, key, header, column, metric or answer (rule 1)', async () => {
    const failed = {
      error: { statusCode: 400, message: CANARIES.join(' '), validationErrors: [{ key: CANARIES[0] }] },
    };
    const bodies = [
      envelope(about('Order', 'Order_Updated', personal({ number: 100_234, status: 300 }))),
      envelope(about('Order', 'Order_Updated', personal({}))),
      envelope({ ...about('Order', 'Order_CancelFailed', personal({ number: 7 })), ...failed }),
      envelope({ ...about('User', 'Operation_Failed', personal({})), ...failed }),
      envelope(about('User', 'User_Updated', personal({}))),
      envelope(about('WarehouseSKU', 'WarehouseSKU_Updated', personal({}))),
      envelope(
        about('ProductWithSKUs', 'ProductWithSKUs_Created', personal({ product: { externalReference: '4711' } })),
      ),
      envelope(about('Basket', 'Basket_Filled', personal({}))),
      envelope({ ...about('Order', 'Order_Updated', personal({})), contractAccountId: BAIRRO }),
      envelope({ ...about('Order', 'Order_Updated', personal({})), operationId: undefined }),
      envelope(about('Order', 'Order_Updated', personal({}))).slice(0, -9),
    ];
    const answers = await Promise.all(bodies.map((body) => deliver(app, body)));
    const told = envelope({ ...about('User', 'User_Updated', personal({})), contractAccountId: BAIRRO });
    answers.push(await deliver(app, told, { authorization: BAIRRO_TOKEN }));
    answers.push(
      await deliver(app, bodies[0]!, { authorization: `x${CANARIES[2]}`, path: `/webhooks/platform/${CANARIES[0]}` }),
    );
    await bench.everythingSent();
    const records = await topics.waitForRecords((seen) => seen.some(({ value }) => value?.toString() === told));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(12).fill(200), 401]);

    const columns = await bench.rows<Record<string, unknown>>(
      `SELECT to_jsonb(n) - 'body' AS row FROM notifications n UNION ALL SELECT to_jsonb(q) - 'body' FROM quarantine q`,
    );
    const pages = ['/metrics', '/api/quarantine?limit=200', '/health/ready', '/api/info'].map(async (path) =>
      (await fetch(`${app.url}${path}`)).text(),
    );
    const seen = [
      ...bench.log,
      ...records.map(({ key, headers, topic }) => JSON.stringify({ key, headers, topic })),
      ...columns.map((row) => JSON.stringify(row)),
      ...answers.map(({ text }) => text),
      ...(await Promise.all(pages)),
    ];
    expect(bench.log.length).toBeGreaterThan(bodies.length);
    for (const canary of CANARIES) expect(seen.filter((text) => text.includes(canary))).toEqual([]);
  });
});
