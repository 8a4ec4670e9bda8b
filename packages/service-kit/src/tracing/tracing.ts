import { AsyncLocalStorage } from 'node:async_hooks';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';

/** Values of a span. Never personal data, a number of an order, a SKU, a URL or a part of a body. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** `traceparent` of the cause; null or an unreadable one begins a new trace. */
  readonly parent: string | null | undefined;
  /** `traceparent` of each further cause. */
  readonly links?: readonly string[] | undefined;
  readonly attributes?: SpanAttributes;
  /** Milliseconds since 1970; default: now. */
  readonly startedAt?: number;
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** Marks the span as failed: a code, never a message. */
  readonly error?: string | undefined;
}

export interface OpenSpan {
  /** `traceparent` for what the span causes. */
  readonly traceparent: string;
  /** False for the first span of a trace that the sampler left out. */
  readonly isRecorded: boolean;
  link(traceparent: string): void;
  end(end?: SpanEnd): void;
}

/** Makes spans and sends them to a collector. */
export interface Tracer {
  /** Null if the trace of the parent is not sampled. */
  start(start: SpanStart): OpenSpan | null;
  /** Sends what waits; never throws. */
  stop(): Promise<void>;
}

type WorkStart = Omit<SpanStart, 'parent' | 'links' | 'startedAt'>;

/** Work on several causes at once, such as a batch of records: it has a span in the trace of each. */
class TracedWork {
  readonly #tracer: Tracer;
  readonly #start: WorkStart;
  readonly #startedAt = spanTime();
  /** By the `traceparent` of the cause, and by the span's own. */
  readonly #byTraceparent = new Map<string, OpenSpan | null>();
  readonly #recorded: OpenSpan[] = [];

  constructor(tracer: Tracer, start: WorkStart) {
    this.#tracer = tracer;
    this.#start = start;
  }

  get recorded(): readonly OpenSpan[] {
    return this.#recorded;
  }

  spanIn(parent: string | undefined, attributes?: SpanAttributes): OpenSpan | null {
    const known = parent === undefined ? undefined : this.#byTraceparent.get(parent);
    if (known !== undefined) return known;
    const of = { ...this.#start, attributes: { ...this.#start.attributes, ...attributes } };
    const span = this.#tracer.start({ ...of, parent, startedAt: this.#startedAt });
    if (parent !== undefined) this.#byTraceparent.set(parent, span);
    if (span?.isRecorded === true) {
      this.#byTraceparent.set(span.traceparent, span);
      this.#recorded.push(span);
    }
    return span;
  }
}

/**
 * The traces of this process; off until `use`, and then every call returns at once with nothing. One for the process,
 * as in OpenTelemetry itself, so that no mechanism carries a tracer that is nearly always absent (ADR 15).
 */
class Tracing {
  readonly #works = new AsyncLocalStorage<TracedWork>();
  #tracer: Tracer | null = null;

  /** Null turns the traces off. */
  use(tracer: Tracer | null): void {
    this.#tracer = tracer;
  }

  get isOn(): boolean {
    return this.#tracer !== null;
  }

  /** Null if traces are off or the parent's trace is not sampled. */
  start(start: SpanStart): OpenSpan | null {
    return this.#tracer?.start(start) ?? null;
  }

  /** `traceparent` of a new trace, for work that begins in Gondola; `random` returns the number of bytes. */
  begin(name: string, random: (bytes: number) => Uint8Array): string {
    const span = this.start({ name, kind: 'internal', parent: null });
    span?.end();
    return span?.traceparent ?? childTraceparent(null, random(TRACE_RANDOM_BYTES));
  }

  /** Runs work on causes that become known during it, by `spanIn` and `within`; its spans begin and end with it. */
  async during<T>(start: WorkStart, run: () => Promise<T>): Promise<T> {
    if (this.#tracer === null) return run();
    const work = new TracedWork(this.#tracer, start);
    return ending(
      () => work.recorded,
      () => this.#works.run(work, run),
    );
  }

  /** Span of the present work in the trace of one of its causes; null as for `start`, and outside of work. */
  spanIn(parent: string | undefined, attributes?: SpanAttributes): OpenSpan | null {
    return this.#works.getStore()?.spanIn(parent, attributes) ?? null;
  }

  /** `traceparent` of the present work's span in the trace of `cause`; `cause` itself where there is none. */
  within(cause: string, attributes?: SpanAttributes): string {
    return this.spanIn(cause, attributes)?.traceparent ?? cause;
  }

  /** Links the present work's spans in the traces of two causes that met in it. */
  relate(one: string, other: string): void {
    this.spanIn(one)?.link(other);
    this.spanIn(other)?.link(one);
  }

  /** Runs a part of the present work, with a child of each of its spans. */
  async part<T>(start: WorkStart, run: () => Promise<T>): Promise<T> {
    const spans = this.#works.getStore()?.recorded ?? [];
    if (spans.length === 0) return run();
    const parts = spans.flatMap(({ traceparent: parent }) => this.start({ ...start, parent }) ?? []);
    return ending(() => parts, run);
  }
}

export const tracing = new Tracing();

/** The time of a span: now, in milliseconds since 1970 with fractions. */
export function spanTime(): number {
  return performance.timeOrigin + performance.now();
}

async function ending<T>(spans: () => readonly OpenSpan[], run: () => Promise<T>): Promise<T> {
  let error: string | undefined = 'Error';
  try {
    const result = await run();
    error = undefined;
    return result;
  } finally {
    for (const span of spans()) span.end({ error });
  }
}
