import { z } from 'zod';
import { type ConfigGroup, configGroup } from './config.ts';
import { oneOf } from './config-shapes.ts';

/** Where spans go, and which traces are sampled. */
export interface TracingConfig {
  readonly url: string;
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Share of the traces that begin in Gondola, of `parentbased_traceidratio`. */
  readonly ratio: number;
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
/** Only such as follow the decision of the caller, so that a trace is whole or absent. */
const SAMPLERS = ['parentbased_always_on', 'parentbased_traceidratio', 'parentbased_always_off'] as const;
const ENDPOINT = 'esperado / expected: http://collector:4318';
const HEADERS = 'esperado / expected: nome=valor,nome=valor';
const RATIO = 'número / number, 0 … 1';

/**
 * `OTEL_EXPORTER_OTLP_ENDPOINT` (unset: null, no traces), `OTEL_EXPORTER_OTLP_PROTOCOL`, `OTEL_EXPORTER_OTLP_HEADERS`,
 * `OTEL_SERVICE_NAME` (default: `app`), `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`.
 */
export function tracingShape(app: string): ConfigGroup<TracingConfig | null> {
  return configGroup(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: z.string().refine(isHttpUrl, ENDPOINT).optional(),
      OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(PROTOCOLS, 'http/protobuf'),
      OTEL_EXPORTER_OTLP_HEADERS: z.string().default('').transform(headersOf).refine(areHeaders, HEADERS),
      OTEL_SERVICE_NAME: z.string().default(app),
      OTEL_TRACES_SAMPLER: oneOf(SAMPLERS, 'parentbased_always_on'),
      OTEL_TRACES_SAMPLER_ARG: z
        .string()
        .regex(/^(?:0?\.\d+|[01](?:\.0+)?)$/, RATIO)
        .default('1')
        .transform(Number),
    },
    (env) =>
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')}/v1/traces`,
            protocol: env.OTEL_EXPORTER_OTLP_PROTOCOL,
            headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            serviceName: env.OTEL_SERVICE_NAME,
            sampler: env.OTEL_TRACES_SAMPLER,
            ratio: env.OTEL_TRACES_SAMPLER_ARG,
          },
  );
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && search === '' && hash === '';
}

/** Null for a text that is no list of headers. */
function headersOf(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(',').flatMap((pair) => (pair.trim() === '' ? [] : [/^([\w.-]+)=(.*)$/.exec(pair.trim())]));
  try {
    return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!)]));
  } catch {
    return null;
  }
}

function areHeaders(headers: Readonly<Record<string, string>> | null): boolean {
  return headers !== null;
}
