import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logging/logger.ts';
import { type SpanStart, tracing } from '../tracing/tracing.ts';
import { pooledRandomBytes, RequestTrace } from './trace.ts';

const SAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the span of a request', () => {
  afterEach(() => tracing.use(null));

  it('belongs to the trace of a known sender, and only has a link to that of a stranger', () => {
    const made: SpanStart[] = [];
    const start = (span: SpanStart) => {
      made.push(span);
      return null;
    };
    tracing.use({ start, stop: async () => {} });
    const trace = new RequestTrace({
      logger: createLogger({ app: 'kit', level: 'silent' }),
      random: pooledRandomBytes(),
    });
    const request = { method: 'POST', route: '/uploads' };
    trace.begin({ ...request, header: SAMPLED, isKnown: () => true });
    trace.begin({ ...request, header: SAMPLED, isKnown: () => false });
    trace.begin({
      ...request,
      header: undefined,
      isKnown: () => {
        throw new Error('asked without a traceparent');
      },
    });
    expect(made.map(({ parent, links }) => ({ parent, links }))).toEqual([
      { parent: SAMPLED, links: [] },
      { parent: null, links: [SAMPLED] },
      { parent: null, links: [] },
    ]);
  });
});

describe('pooledRandomBytes', () => {
  it('returns as many bytes as requested, and none of them twice', () => {
    const random = pooledRandomBytes();
    const drawn = Array.from({ length: 2_000 }, () => Buffer.from(random(24)).toString('hex'));
    expect(new Set(drawn).size).toBe(2_000);
    expect(new Set(drawn.map(({ length }) => length))).toEqual(new Set([48]));
    expect(random(100_000)).toHaveLength(100_000);
  });
});
