import { describe, expect, it } from '@jest/globals';
import { Health } from '../health/health.ts';
import { createLogger } from '../logging/logger.ts';
import { StartSequence, StopDeadline } from './start-sequence.ts';
import type { Startable } from './startable.ts';
import { part } from '../testing/shelf-app.ts';

function sequence(startables: Startable[], health = new Health()): StartSequence {
  const logger = createLogger({ app: 'kit', level: 'silent' });
  return new StartSequence({ startables, health, logger, retryMs: { first: 1, most: 1 }, onFailure: () => {} });
}

describe('StartSequence', () => {
  it('stops a startable whose start does not end, and never begins those after it', async () => {
    const story: string[] = [];
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow: Startable = {
      name: 'slow',
      start: () => {
        begun.resolve();
        return gate.promise;
      },
      stop: async () => {
        story.push('slow stopped');
        gate.reject(new Error('broken off'));
      },
    };
    const starting = sequence([part('first', story), slow, part('never', story)]);
    const started = starting.start();
    await begun.promise;
    await starting.stop(
      new StopDeadline({ limitMs: 200, steps: 3, logger: createLogger({ app: 'kit', level: 'silent' }) }),
    );
    await started;
    expect(story).toEqual(['first started', 'slow stopped', 'first stopped']);
  });

  it('shows what a startable waits for while it starts', async () => {
    const gate = Promise.withResolvers<void>();
    const health = new Health();
    const starting = sequence([{ ...part('consumers', []), waitsFor: 'the group', start: () => gate.promise }], health);
    const started = starting.start();
    expect(health.startables()).toEqual({ consumers: { state: 'starting', waitsFor: 'the group' } });
    gate.resolve();
    await started;
    expect(health.startables()).toEqual({ consumers: { state: 'started' } });
  });

  it('retries a startable that asks for it after any failure, and names failures that waiting does not solve', async () => {
    const lines: string[] = [];
    const logger = createLogger({ app: 'kit', level: 'warn', destination: { write: (line) => void lines.push(line) } });
    const failures = [new Error('a wrong password'), new Error('migrations are pending')];
    const started = Promise.withResolvers<void>();
    const patient: Startable = {
      ...part('patient', []),
      background: true,
      retriesEveryFailure: true,
      start: async () => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        started.resolve();
      },
    };
    const failed: unknown[] = [];
    const starting = new StartSequence({
      startables: [patient],
      health: new Health(),
      logger,
      retryMs: { first: 1, most: 1 },
      onFailure: (error) => void failed.push(error),
    });
    await starting.start();
    await started.promise;
    expect(failed).toEqual([]);
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error', 'error']);
  });

  it('reports every startable from the beginning', () => {
    const health = new Health();
    sequence([part('one', []), { ...part('two', []), background: true }], health);
    expect(health.startables()).toEqual({ one: { state: 'waiting' }, two: { state: 'waiting' } });
  });
});
