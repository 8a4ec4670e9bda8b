import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { NotificationTopics } from './notification-topics.service.ts';

const logger = createLogger({ app: 'webhook-ingest', level: 'silent' });

function topics(provisionNow: () => Promise<void>): NotificationTopics {
  class Topics extends NotificationTopics {
    protected override readonly patienceMs = 10;
    protected override readonly provisionNow = provisionNow;
  }
  const kafka = { brokers: ['127.0.0.1:9'], ssl: false, sasl: null, topicPrefix: '', partitions: 3 };
  return new Topics({ kafka } as unknown as ConstructorParameters<typeof NotificationTopics>[0], logger);
}

const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));

describe('the start of the topics', () => {
  it('ends no boot, and delays none for long, while Kafka is unreachable, silent or refuses', async () => {
    await expect(topics(away).start()).resolves.toBeUndefined();
    await expect(topics(() => new Promise(() => {})).start()).resolves.toBeUndefined();
    await expect(topics(() => Promise.reject(new Error('12 partitions, not 3'))).start()).resolves.toBeUndefined();
  });

  it('is made up for by whoever needs the topics, once', async () => {
    let calls = 0;
    const late = topics(() => ((calls += 1) === 1 ? away() : Promise.resolve()));
    await late.start();
    await late.provision();
    await late.provision();
    expect(calls).toBe(2);
  });
});
