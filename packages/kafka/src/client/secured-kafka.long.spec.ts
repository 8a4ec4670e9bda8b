import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { HAS_IPV6, HAS_OPENSSL } from '@gondola/local-stack/testing/machine';
import type { SecuredKafka } from '@gondola/local-stack/testing/secured-kafka';
import { TOPIC_NAMES, topicSpec } from '@gondola/shared/topics/topics';

import { CONSUMER_TIMINGS } from '../server/consumer-timings.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { readConfig } from '@gondola/service-kit/config/config';
import { kafkaShape } from '@gondola/service-kit/config/config-shapes';
import { AppTopics } from '../topics/app-topics.ts';
import { createKafka } from './kafka-client.ts';
import { namingKafka } from './kafka-refusal.ts';
import { KafkaSender } from '../produce/kafka-sender.ts';
import { type KafkaRight, neededRights } from '../topics/needed-rights.ts';
import { provisionTopics } from '../topics/topic-provisioning.ts';

const ACCOUNT = 'order-command-handler';
const PREFIX = 'shop.';
const APP = {
  app: ACCOUNT,
  topicPrefix: PREFIX,
  group: `${PREFIX}gondola.${ACCOUNT}`,
  reads: TOPIC_NAMES.filter((name) => topicSpec(name).readers.includes(ACCOUNT)),
  writes: TOPIC_NAMES.filter((name) => topicSpec(name).writers.includes(ACCOUNT)),
  tenants: [],
  shadows: new Set<string>(),
} as const;
const RIGHTS = neededRights(ACCOUNT, PREFIX);
const WRITES = RIGHTS.filter(({ operation }) => operation === 'Write');
const described = ({ resource, name, operation }: KafkaRight): string => `${operation} on ${resource} ${name}`;

let kafka: SecuredKafka;

beforeAll(async () => {
  // Loaded behind `kafkajs-native.ts`, which replaces parts of kafkajs before anybody else loads it.
  const { startSecuredKafka } = await import('@gondola/local-stack/testing/secured-kafka');
  kafka = await startSecuredKafka([ACCOUNT, 'second', 'third'], { second: 256, third: 512 });
  const owner = createKafka({ brokers: [kafka.brokers], ssl: false }, 'messaging-tests', quietLogger());
  const topics = [...APP.reads, ...APP.writes];
  await provisionTopics({ kafka: owner, prefix: PREFIX, partitions: 3, replicationFactor: -1, topics });
  await kafka.grant(ACCOUNT, RIGHTS);
});

afterAll(() => kafka.stop());

/** Reads variables as an app does, and asks Kafka one question; null, or the sentence of the refusal. */
async function answerTo(env: Record<string, string>): Promise<string | null> {
  const config = readConfig({ kafka: kafkaShape }, env).kafka;
  const client = createKafka(config, 'messaging-tests', quietLogger());
  const admin = client.admin();
  const work = admin.connect().then(() => admin.listTopics());
  try {
    await namingKafka(config.brokers, work);
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await admin.disconnect();
  }
}

const login = (account: string, mechanism: string) => ({
  KAFKA_SASL_MECHANISM: mechanism,
  KAFKA_SASL_USERNAME: account,
  KAFKA_SASL_PASSWORD: kafka.passwords[account]!,
});
const trusting = () => ({ KAFKA_SSL: 'true', KAFKA_SSL_CA: kafka.authority });

function account() {
  const sasl = { mechanism: 'plain', username: ACCOUNT, password: kafka.passwords[ACCOUNT]! } as const;
  const connection = { brokers: [kafka.login], ssl: false, sasl };
  return { connection, client: () => createKafka(connection, ACCOUNT, quietLogger()) };
}

describe('a Kafka that asks who calls', () => {
  it.each([
    [ACCOUNT, 'PLAIN'],
    ['second', 'SCRAM-SHA-256'],
    ['third', 'SCRAM-SHA-512'],
  ])('lets %s in by %s, with and without TLS', async (account, mechanism) => {
    expect(await answerTo({ KAFKA_BROKERS: kafka.login, ...login(account, mechanism) })).toBeNull();
    const env = { KAFKA_BROKERS: kafka.tlsLogin, ...trusting(), ...login(account, mechanism) };
    expect(await answerTo(env)).toBeNull();
  });

  it('refuses each wrong login in one sentence that names the variable, without the secret', async () => {
    const wrong = { ...login(ACCOUNT, 'plain'), KAFKA_SASL_PASSWORD: 'canary' };
    const [password, authority, certificate] = await Promise.all([
      answerTo({ KAFKA_BROKERS: kafka.login, ...wrong }),
      answerTo({ KAFKA_BROKERS: kafka.tlsLogin, KAFKA_SSL: 'true', ...login(ACCOUNT, 'plain') }),
      answerTo({ KAFKA_BROKERS: kafka.mutualTls, ...trusting() }),
    ]);
    expect(password).toMatch(/KAFKA_SASL_\*: .+ refuses the mechanism, the user or the password/);
    expect(password).not.toContain('canary');
    expect(authority).toMatch(/KAFKA_SSL: .+KAFKA_SSL_CA/);
    expect(certificate).toMatch(/KAFKA_SSL: .+KAFKA_SSL_CERT/);
  });

  (HAS_IPV6 ? describe : describe.skip)('on a machine with IPv6', () => {
    it('is reached by its address', async () => {
      expect(await answerTo({ KAFKA_BROKERS: kafka.ipv6! })).toBeNull();
    });
  });

  (HAS_OPENSSL ? describe : describe.skip)('on a machine with openssl, which makes a certificate', () => {
    it('lets a client in by it', async () => {
      const { certificate, key } = kafka.client!;
      const own = { KAFKA_SSL_CERT: certificate, KAFKA_SSL_KEY: key };
      expect(await answerTo({ KAFKA_BROKERS: kafka.mutualTls, ...trusting(), ...own })).toBeNull();
    });
  });
});

describe('on a Kafka that allows nothing else', () => {
  /** Refusal of the app's start; null if it starts. */
  async function refusal(): Promise<string | null> {
    const { connection, client } = account();
    const { topicPrefix } = APP;
    const config = { ...connection, topicPrefix, partitions: 3, sessionMs: CONSUMER_TIMINGS.sessionMs };
    const topics = new AppTopics({ for: client } as never, { ...APP, kafka: config });
    return topics.start().then(
      () => null,
      (error: Error) => error.message,
    );
  }

  async function refusedTopics(): Promise<string[]> {
    const sender = new KafkaSender(account().client(), APP.topicPrefix);
    const refused: string[] = [];
    for (const topic of [...APP.reads, ...APP.writes]) {
      const record = { topic, key: Buffer.from('k'), value: Buffer.from('v'), headers: [] };
      const { refusals } = await sender.send([record] as never);
      refused.push(...[...refusals.values()].map((code) => `${code} ${APP.topicPrefix}${topic}`));
    }
    await sender.close();
    return refused;
  }

  it('an app starts and sends with exactly the rights that are documented', async () => {
    expect(await refusal()).toBeNull();
    expect(await refusedTopics()).toEqual([]);
  });

  it.each(RIGHTS.filter((right) => !WRITES.includes(right)).map((right) => [described(right), right] as const))(
    'an app without %s does not start, and names both',
    async (_, right) => {
      await kafka.revoke(ACCOUNT, [right]);
      const told = await refusal();
      await kafka.grant(ACCOUNT, [right]);
      expect(told).toContain(right.operation);
      expect(told).toContain(right.name);
      const others = RIGHTS.filter(({ name }) => !told!.includes(name)).map(({ name }) => name);
      expect(new Set(others)).toEqual(new Set(RIGHTS.map(({ name }) => name).filter((name) => name !== right.name)));
    },
  );

  it.each(WRITES.map((right) => [described(right), right] as const))(
    'an app without %s, but with the right to see it, sends to all others',
    async (_, right) => {
      const sees = { ...right, operation: 'Describe' } as const;
      await kafka.grant(ACCOUNT, [sees]);
      await kafka.revoke(ACCOUNT, [right]);
      expect(await refusedTopics()).toEqual([`TOPIC_AUTHORIZATION_FAILED ${right.name}`]);
      await kafka.grant(ACCOUNT, [right]);
      await kafka.revoke(ACCOUNT, [sees]);
    },
  );

  it.each(APP.writes)(
    'an app that may not even see %s does not start, and names the right to write it',
    async (topic) => {
      const right = { resource: 'Topic', name: PREFIX + topic, operation: 'Write' } as const;
      await kafka.revoke(ACCOUNT, [right]);
      const told = await refusal();
      await kafka.grant(ACCOUNT, [right]);
      expect(told).toContain(`does not show topic "${right.name}"`);
      expect(told).toContain('grant it Write');
    },
  );

  it('an app that sees its group but may not read it does not start, and names both', async () => {
    const right = { resource: 'Group', name: APP.group, operation: 'Read' } as const;
    const sees = { ...right, operation: 'Describe' } as const;
    await kafka.grant(ACCOUNT, [sees]);
    await kafka.revoke(ACCOUNT, [right]);
    const told = await refusal();
    await kafka.grant(ACCOUNT, [right]);
    await kafka.revoke(ACCOUNT, [sees]);
    expect(told).toContain(`Read on the group "${right.name}"`);
  });
});
