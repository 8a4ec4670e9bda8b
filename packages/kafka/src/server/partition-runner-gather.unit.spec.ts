import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { Registry } from 'prom-client';
import type { TopicName } from '@gondola/shared/topics/topics';

import { MessagingMetrics } from '../metrics/messaging-metrics.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { ConsumerGuard } from './consumer-guard.ts';
import { PartitionPauses } from './partition-pauses.ts';
import { PartitionRunner } from './partition-runner.ts';

const TOPIC: TopicName = 'platform.notifications.orders.v1';
const TOOK_MS = 15;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function openRunner(urgent: readonly TopicName[] = []) {
  const logger = quietLogger();
  const metrics = new MessagingMetrics(new Registry());
  return new PartitionRunner({
    group: 'g',
    topicPrefix: '',
    urgent: new Set(urgent),
    concurrency: 3,
    handle: () => new Promise((resolve) => setTimeout(resolve, TOOK_MS)),
    heartbeatMs: 1_000,
    pauses: new PartitionPauses({ baseMs: 1, maxMs: 1 }, metrics),
    guard: new ConsumerGuard({ stuckMs: 1_000, handlerMs: 1_000, logger, exit: () => {} }),
    metrics,
    logger,
  });
}

/** A fetched batch; `committed` is the number of its commits. */
function batchOf(records: number) {
  const messages = Array.from({ length: records }, (_, at) => ({
    offset: String(at),
    timestamp: '0',
    attributes: 0,
    key: null,
    value: null,
  }));
  const found = { committed: 0 };
  const batch = { topic: TOPIC, partition: 0, messages, lastOffset: () => String(records - 1) };
  const payload = {
    batch,
    heartbeat: async () => {},
    isRunning: () => true,
    isStale: () => false,
    pause: () => () => {},
    resolveOffset: () => {},
    commitOffsetsIfNecessary: async () => void (found.committed += 1),
  };
  return { payload: payload as unknown as EachBatchPayload, found };
}

/** Milliseconds from the end of the batch, in fives, after which the fetch goes on. */
async function waitedMs(work: Promise<void>): Promise<number> {
  let isOver = false;
  void work.then(() => (isOver = true));
  await jest.advanceTimersByTimeAsync(TOOK_MS);
  for (let ms = 0; ms <= 500; ms += 5) {
    if (isOver) return ms;
    await jest.advanceTimersByTimeAsync(5);
  }
  throw new Error('The fetch never goes on');
}

describe('the next fetch', () => {
  it('waits for twice as long as a batch took, which is committed by then', async () => {
    const { payload, found } = batchOf(8);
    const work = openRunner().run(payload);
    await jest.advanceTimersByTimeAsync(TOOK_MS);
    expect(found.committed).toBe(1);
    expect(await waitedMs(work)).toBe(TOOK_MS);
  });

  it.each([1, 7, 100])('does not wait after a batch of %d records', async (records) => {
    expect(await waitedMs(openRunner().run(batchOf(records).payload))).toBe(0);
  });

  it('waits beside urgent topics no longer than for a batch', async () => {
    const runner = openRunner(['erp.catalog.prices.v1']);
    expect(await waitedMs(runner.run(batchOf(20).payload))).toBe(30 - TOOK_MS);
  });

  it('waits no longer once the consumer stops', async () => {
    const runner = openRunner();
    const work = runner.run(batchOf(20).payload);
    await jest.advanceTimersByTimeAsync(TOOK_MS);
    await runner.drain();
    await expect(work).resolves.toBeUndefined();
  });
});
