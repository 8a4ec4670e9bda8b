import { afterEach, describe, expect, it } from '@jest/globals';

import { freePort } from '@gondola/local-stack/free-port';
import { testStack } from '@gondola/local-stack/test-stack';
import { SettingError } from '@gondola/service-kit/config/config';
import { isTransientStartFailure } from '@gondola/service-kit/database/database-errors';
import type { Admin, KafkaConfig } from 'kafkajs';

import { namingKafka } from './kafka-refusal.ts';
import { Kafka, logLevel } from './kafkajs-native.ts';

const admins: Admin[] = [];

afterEach(async () => {
  for (const admin of admins.splice(0)) await admin.disconnect();
});

/** Error of a single request by a client with these settings. */
async function refusalOf(brokers: string[], settings: Partial<KafkaConfig> = {}): Promise<unknown> {
  const kafka = new Kafka({
    brokers,
    retry: { retries: 0 },
    // A time-out would be reported as a broker that is away.
    connectionTimeout: 60_000,
    authenticationTimeout: 60_000,
    logLevel: logLevel.NOTHING,
    ...settings,
  });
  const admin = kafka.admin();
  admins.push(admin);
  return namingKafka(
    brokers,
    admin.connect().then(() => admin.listTopics()),
  ).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('an unusable Kafka', () => {
  it('that is unreachable is reported with KAFKA_BROKERS, and the app waits for it', async () => {
    const away = `127.0.0.1:${await freePort()}`;
    const refusal = await refusalOf([away]);
    expect(refusal).toBeInstanceOf(SettingError);
    expect(refusal).toMatchObject({ variable: 'KAFKA_BROKERS', code: 'ECONNREFUSED' });
    expect((refusal as Error).message).toMatch(
      /^KAFKA_BROKERS: nenhum Kafka \(.+\) responde: .+ \/ no Kafka \(.+\) answers: .+$/,
    );
    expect((refusal as Error).message).toContain(away);
    expect(isTransientStartFailure(refusal)).toBe(true);
  });

  it('that refuses the login is reported with KAFKA_SASL_*, without the secret, and ends the start', async () => {
    const brokers = testStack().kafkaBrokers.split(',');
    const refusal = await refusalOf(brokers, { sasl: { mechanism: 'plain', username: 'erp', password: 'canary' } });
    expect(refusal).toBeInstanceOf(SettingError);
    expect((refusal as Error).message).toMatch(/^KAFKA_SASL_\*: o Kafka .+ recusa .+ refuses .+$/);
    expect((refusal as Error).message).not.toContain('canary');
    expect(isTransientStartFailure(refusal)).toBe(false);
  });

  it('that does not speak TLS is reported with KAFKA_SSL', async () => {
    const refusal = await refusalOf(testStack().kafkaBrokers.split(','), { ssl: true });
    expect(refusal).toMatchObject({ name: 'SettingError', variable: expect.stringMatching(/^KAFKA_/) });
    expect((refusal as Error).message).toContain('KAFKA_SSL');
  });

  it('is reported with no setting if the cause is another one', async () => {
    const bug = new Error('a bug');
    await expect(namingKafka(['127.0.0.1:1'], Promise.reject(bug))).rejects.toBe(bug);
  });
});
