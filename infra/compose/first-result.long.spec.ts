import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type AppProcess, startAppProcess } from '@gondola/local-stack/testing/app-process';
import { startSandboxProcess } from '@gondola/local-stack/testing/test-sandbox';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { type ReadRecord, readTopics } from '@gondola/local-stack/testing/topic-reader';
import { contractProblems, valueProblems } from '@gondola/kafka/testing/contract-problems';
import { openTestKafka, type TestKafka } from '@gondola/kafka/testing/test-kafka';
import type { TopicName } from '@gondola/shared/topics/topics';

// docker-compose.yml without its engine: the sandbox and two apps as processes with its environment and tenants
// file, its set-up program in a separate folder, and the records of docs/running.md.

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const RESULTS = 'erp.catalog.results.v1';
const INPUTS = ['erp.catalog.brands.v1', 'erp.catalog.categories.v1', 'erp.catalog.products.v1'] as const;

interface Result {
  outcome: string;
  evidence: string;
  entity: { kind: string; externalReference: string };
  warnings: { code: string; field: string }[];
}

/** A record may be repeated with its `ce_id`. */
function firsts(read: readonly ReadRecord[]): ReadRecord[] {
  return [...new Map(read.map((record) => [record.headers['ce_id'], record])).values()];
}

describe('the set-up of docker-compose.yml', () => {
  const secrets = new Map<string, string>();
  const apps: AppProcess[] = [];
  const schemas: TestSchema[] = [];
  let folder: string;
  let kafka: TestKafka;
  let ingestUrl: string;
  let setUpEnv: Record<string, string>;
  let environmentOf: (service: string) => Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-compose-'));
    kafka = await openTestKafka('compose', [...INPUTS, RESULTS]);
    const compose = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: Record<string, { environment: Record<string, string> }>;
    };
    environmentOf = (service) => {
      const given = Object.entries(compose.services[service]!.environment);
      return Object.fromEntries(given.map(([name, value]) => [name, value.replaceAll(/\$\{(\w+)[^}]*\}/g, secretOf)]));
    };
    const sandbox = await startSandboxProcess({
      logFile: join(folder, 'sandbox.log'),
      env: { OPERATIONS_TOKEN: secretOf('', 'OPERATIONS_TOKEN') },
    });
    apps.push(sandbox);
    const tenants = await readFile(join(root, 'infra/compose/tenants.yaml'), 'utf8');
    await writeFile(join(folder, 'tenants.yaml'), tenants.replace('http://platform-sandbox:8090', sandbox.url));
    [ingestUrl = ''] = await Promise.all(['webhook-ingest', 'catalog-publisher'].map(start));
    await copyFile(join(root, 'infra/compose/set-up.mts'), join(folder, 'set-up.mts'));
    setUpEnv = { ...environmentOf('set-up'), SANDBOX_URL: sandbox.url, WEBHOOK_INGEST_URL: ingestUrl };
  });

  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await kafka.close();
    for (const schema of schemas) await schema.drop();
    await rm(folder, { recursive: true });
  });

  /** Value of a secret, as .env would hold it. */
  function secretOf(_text: string, name: string): string {
    const secret = secrets.get(name) ?? randomBytes(24).toString('hex');
    secrets.set(name, secret);
    return secret;
  }

  async function schemaOf(label: string): Promise<string> {
    const schema = await createTestSchema(`compose-${label}`);
    schemas.push(schema);
    return schema.schema;
  }

  async function start(name: string): Promise<string> {
    const { kafkaBrokers, databaseUrl } = testStack();
    const here = {
      KAFKA_BROKERS: kafkaBrokers,
      TOPIC_PREFIX: kafka.prefix,
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: await schemaOf(name),
      TENANTS_FILE: join(folder, 'tenants.yaml'),
      ...(name === 'webhook-ingest' && { SPOOL_DIR: join(folder, 'spool') }),
    };
    const app = await startAppProcess({
      folder: join(root, 'apps', name),
      env: { ...environmentOf(name), ...here },
      logFile: join(folder, `${name}.log`),
    });
    apps.push(app);
    return app.url;
  }

  const setUp = (changes: Record<string, string> = {}) =>
    run(process.execPath, [join(folder, 'set-up.mts')], { cwd: folder, env: { ...setUpEnv, ...changes } });

  async function registrationAttempts(): Promise<{ outcome: string }[]> {
    const headers = { authorization: `Bearer ${secretOf('', 'OPERATIONS_TOKEN')}` };
    const answer = await fetch(`${ingestUrl}/api/webhook-registration`, { headers });
    const { registrations } = (await answer.json()) as { registrations: { attempts: { outcome: string }[] }[] };
    return registrations.flatMap(({ attempts }) => attempts);
  }

  it('fails in one sentence where an app refuses it', async () => {
    await expect(setUp({ OPERATIONS_TOKEN: 'another-token-of-24-characters' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^POST http:\S+\/admin\/tenants answered 401 .*\n$/),
    });
  });

  it('opens the shop and registers the webhook, and started again changes nothing', async () => {
    const target = `${ingestUrl}/webhooks/platform/acme`;
    const first = await setUp();
    expect(first.stdout).toContain(`The webhook of acme is registered: ${target}\n`);
    const again = await setUp();
    expect(again.stdout).toContain(`The webhook of acme stands since an earlier start: ${target}\n`);
    expect([first.stderr, again.stderr]).toEqual(['', '']);
    expect(await registrationAttempts()).toEqual([expect.objectContaining({ outcome: 'registered' })]);
  });

  it('is enough for the records of docs/running.md to end as it says', async () => {
    const page = await readFile(join(root, 'docs/running.md'), 'utf8');
    // A wrapped line ends a text in quotes, and the shell joins it with the next one.
    const commands = page.replaceAll(`'\\\n'`, '').matchAll(/^echo '(\S+) (\{.*\})' \| send (\S+)$/gm);
    const records = Array.from(commands, ([, key, value, topic]) => ({
      key: key!,
      value: value!,
      topic: topic as TopicName,
    }));
    expect(records.map(({ topic }) => topic)).toEqual(INPUTS);
    expect(records.flatMap(({ topic, value }) => valueProblems(topic, value))).toEqual([]);
    const [brand, category, product] = records;
    const reader = await readTopics(testStack().kafkaBrokers, [kafka.prefix + RESULTS], contractProblems(kafka.prefix));
    const results = async (count: number) => {
      const read = await reader.waitForRecords((records) => firsts(records).length >= count);
      return firsts(read).map(({ value }) => JSON.parse(String(value)) as Result);
    };
    try {
      for (const { topic, ...record } of [brand!, category!]) await kafka.produce(topic, [record]);
      const presumed = { outcome: 'applied', evidence: 'presumed' };
      expect(await results(2)).toEqual([expect.objectContaining(presumed), expect.objectContaining(presumed)]);
      await kafka.produce(product!.topic, [product!]);
      const third = (await results(3)).find(({ entity }) => entity.kind === 'product');
      expect(third).toMatchObject({ outcome: 'applied', evidence: 'event', entity: { externalReference: '4711' } });
      expect(third?.warnings).toEqual([expect.objectContaining({ code: 'DEFAULT_APPLIED' })]);
    } finally {
      await reader.close();
    }
  });
});
