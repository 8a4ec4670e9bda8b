import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from './config.ts';
import { tracingShape } from './tracing-config.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/' };

function read(env: Record<string, string>) {
  return readConfig({ tracing: tracingShape('file-gateway') }, env).tracing;
}

function wrong(env: Record<string, string>): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ where }) => where);
  }
  return [];
}

describe('the configuration of traces', () => {
  it('is null without an endpoint', () => {
    expect(read({ OTEL_SERVICE_NAME: 'one', OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeNull();
  });

  it('has the defaults of OpenTelemetry, and the app’s name', () => {
    expect(read(ENDPOINT)).toEqual({
      url: 'https://collector.example:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: {},
      serviceName: 'file-gateway',
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
  });

  it('reads a share of the traces, and headers with their values encoded', () => {
    const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20a2V5, x-team=loja=1' };
    expect(read({ ...ENDPOINT, ...sampled, ...headers })).toMatchObject({
      sampler: 'parentbased_traceidratio',
      ratio: 0.01,
      headers: { authorization: 'Basic a2V5', 'x-team': 'loja=1' },
    });
  });

  it('names every variable that is wrong', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: '1.5',
    };
    expect(wrong(env)).toEqual(Object.keys(env));
  });
});
