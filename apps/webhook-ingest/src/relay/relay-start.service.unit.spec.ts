import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { relayStartables } from './relay-start.service.ts';

const logger = createLogger({ app: 'webhook-ingest', level: 'silent' });

function parts(provisionTopics: () => Promise<void>) {
  const story: string[] = [];
  const relay = {
    name: 'relay',
    start: async () => void story.push('relay started'),
    stop: async () => void story.push('relay stopped'),
  };
  const [topics, relaying] = relayStartables({ provisionTopics, relay, logger, patienceMs: 10 });
  return { topics: topics!, relaying: relaying!, story };
}

const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));

describe('the way to Kafka', () => {
  it('holds nobody up while Kafka is away or silent', async () => {
    await parts(away).topics.start();
    await parts(() => new Promise(() => {})).topics.start();
    expect(parts(away).relaying.background).toBe(true);
  });

  it('ends the boot where the topics are unfit', async () => {
    const unfit = new Error('12 partitions, not 3');
    await expect(parts(() => Promise.reject(unfit)).topics.start()).rejects.toBe(unfit);
  });

  it('relays nothing before the topics are there', async () => {
    let isAway = true;
    const { topics, relaying, story } = parts(() => (isAway ? away() : Promise.resolve()));
    await topics.start();
    await expect(relaying.start()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(story).toEqual([]);
    isAway = false;
    await relaying.start();
    expect(story).toEqual(['relay started']);
  });
});
