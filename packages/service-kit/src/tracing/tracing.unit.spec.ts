import { afterEach, describe, expect, it } from '@jest/globals';
import { type OpenSpan, type SpanEnd, type SpanStart, type Tracer, tracing } from './tracing.ts';

const SAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = '00-11111111111111111111111111111111-2222222222222222-00';

interface Made extends SpanStart {
  readonly traceparent: string;
  readonly links: string[];
  readonly ends: SpanEnd[];
}

/** Makes a span of every sampled trace, and of none that begins here. */
class StubTracer implements Tracer {
  readonly made: Made[] = [];

  start(start: SpanStart): OpenSpan | null {
    if (start.parent?.endsWith('00')) return null;
    const isRecorded = start.parent !== null && start.parent !== undefined;
    const trace = isRecorded ? start.parent.slice(3, 35) : 'f'.repeat(32);
    const traceparent = `00-${trace}-${String(this.made.length + 1).padStart(16, '0')}-${isRecorded ? '01' : '00'}`;
    const made = { ...start, traceparent, links: [], ends: [] } as Made;
    this.made.push(made);
    return {
      traceparent,
      isRecorded,
      link: (to) => void made.links.push(to),
      end: (end = {}) => void made.ends.push(end),
    };
  }

  async stop(): Promise<void> {}
}

const random = (bytes: number) => new Uint8Array(bytes).fill(7);
const step = { name: 'step', kind: 'internal' } as const;

function on(): StubTracer {
  const tracer = new StubTracer();
  tracing.use(tracer);
  return tracer;
}

afterEach(() => tracing.use(null));

describe('traces that are off', () => {
  it('leave every traceparent as it is, and begin sampled traces', async () => {
    expect(tracing.start({ ...step, parent: SAMPLED })).toBeNull();
    expect(await tracing.during(step, async () => tracing.within(SAMPLED))).toBe(SAMPLED);
    expect(tracing.begin('scan', random)).toMatch(/^00-(?:07){16}-(?:07){8}-01$/);
  });
});

describe('traces that are on', () => {
  it('have one span of a work in each sampled trace, which ends with the work', async () => {
    const { made } = on();
    await tracing.during(step, async () => {
      const own = tracing.within(SAMPLED);
      expect([tracing.within(SAMPLED), tracing.within(own)]).toEqual([own, own]);
      expect(tracing.within(OTHER)).not.toBe(OTHER);
      expect(tracing.within(UNSAMPLED)).toBe(UNSAMPLED);
      expect(made.flatMap(({ ends }) => ends)).toEqual([]);
    });
    expect(made.map(({ parent, ends }) => ({ parent, ends }))).toEqual([
      { parent: SAMPLED, ends: [{}] },
      { parent: OTHER, ends: [{}] },
    ]);
  });

  it('mark the spans of a work that throws, and of its part', async () => {
    const { made } = on();
    const work = tracing.during(step, async () => {
      tracing.within(SAMPLED);
      await tracing.part({ name: 'transaction', kind: 'client' }, () => Promise.reject(new Error('of a customer')));
    });
    await expect(work).rejects.toThrow('of a customer');
    expect(made.map(({ name, ends }) => [name, ends])).toEqual([
      ['step', [{ error: 'Error' }]],
      ['transaction', [{ error: 'Error' }]],
    ]);
    expect(made[1]!.parent).toBe(made[0]!.traceparent);
  });

  it('link two causes that met in one work, both ways', async () => {
    const { made } = on();
    await tracing.during(step, async () => tracing.relate(tracing.within(SAMPLED), OTHER));
    expect(made.map(({ links }) => links)).toEqual([[OTHER], [made[0]!.traceparent]]);
  });

  it('follow the sampler for a trace that begins here', () => {
    on();
    expect(tracing.begin('scan', random)).toMatch(/-00$/);
  });
});
