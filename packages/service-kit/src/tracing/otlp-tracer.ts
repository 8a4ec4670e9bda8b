import { randomBytes } from 'node:crypto';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Link, Span } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import {
  childTraceparent,
  formatTraceparent,
  parseTraceparent,
  TRACE_RANDOM_BYTES,
  type TraceParent,
} from '@gondola/shared/topics/traceparent';
import type { TracingConfig } from '../config/tracing-config.ts';
import type { Logger } from '../logging/logger.ts';
import { type OpenSpan, type SpanEnd, type SpanStart, spanTime, type Tracer } from './tracing.ts';

const SAMPLED = 1;
const REPORT_EVERY_MS = 300_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * The tracer of OpenTelemetry's SDK, sending by OTLP over HTTP. The only file that knows the SDK; it is imported when
 * traces are on, so that it costs nothing when they are off. A collector that is away costs its spans, nothing else.
 */
export async function otlpTracer(config: TracingConfig, version: string, logger: Logger): Promise<Tracer> {
  const { url, headers, protocol, serviceName, sampler, ratio } = config;
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  const exporter = reporting(new OTLPTraceExporter({ url, headers: { ...headers } }), logger, () => performance.now());
  const share = { parentbased_always_on: 1, parentbased_always_off: 0, parentbased_traceidratio: ratio }[sampler];
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'gondola',
      'service.name': serviceName,
      'service.version': version,
    }),
    // A span that is left out never reaches the SDK (`leftOut`).
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('gondola', version);
  return {
    start({ name, kind, parent, links = [], attributes = {}, startedAt = spanTime() }: SpanStart) {
      const cause = parseTraceparent(parent);
      if (cause !== null && !isSampled(cause)) return null;
      const drawn = cause === null && share < 1 ? randomBytes(TRACE_RANDOM_BYTES) : null;
      if (drawn !== null && drawn.readUInt32BE() / 2 ** 32 >= share) return leftOut(drawn);
      const options = { kind: KINDS[kind], attributes: given(attributes), links: linksTo(links), startTime: startedAt };
      return new OtlpSpan(tracer.startSpan(name, options, contextOf(cause)));
    },
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

class OtlpSpan implements OpenSpan {
  readonly traceparent: string;
  readonly isRecorded = true;
  readonly #span: Span;

  constructor(span: Span) {
    const { traceId, spanId: parentId } = span.spanContext();
    this.#span = span;
    this.traceparent = formatTraceparent({ traceId, parentId, flags: '01' });
  }

  link(traceparent: string): void {
    this.#span.addLinks(linksTo([traceparent]));
  }

  end({ attributes = {}, error }: SpanEnd = {}): void {
    this.#span.setAttributes(given(attributes));
    if (error !== undefined) this.#span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(spanTime());
  }
}

/** The first span of a trace that the sampler leaves out; its `traceparent` tells everybody behind it. */
function leftOut(random: Buffer): OpenSpan {
  const traceparent = childTraceparent(null, random).replace(/01$/, '00');
  return { traceparent, isRecorded: false, link: () => {}, end: () => {} };
}

function contextOf(cause: TraceParent | null): Context {
  return cause === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(cause));
}

/** Only to traces that are sampled: others lead nowhere. */
function linksTo(traceparents: readonly string[]): Link[] {
  const causes = [...new Set(traceparents)].flatMap((text) => parseTraceparent(text) ?? []);
  return causes.filter(isSampled).map((cause) => ({ context: spanContextOf(cause) }));
}

function spanContextOf({ traceId, parentId: spanId }: TraceParent) {
  return { traceId, spanId, traceFlags: SAMPLED, isRemote: true };
}

function isSampled({ flags }: TraceParent): boolean {
  return (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
}

function given(attributes: NonNullable<SpanStart['attributes']>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** Logs lost spans, at most once in five minutes. */
export function reporting(exporter: SpanExporter, logger: Logger, now: () => number): SpanExporter {
  let lost = 0;
  let reportedAt = -Infinity;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          lost += spans.length;
          if (now() - reportedAt >= REPORT_EVERY_MS) {
            logger.warn({ err: result.error, count: lost }, 'The collector did not take spans; they are lost');
            reportedAt = now();
            lost = 0;
          }
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
