import { Raw, route, type AnyRoute } from '../http/route.ts';
import { DOCS_PAGE } from '../openapi/docs-page.ts';

export type Phase = 'starting' | 'ready' | 'stopping';

export interface OperationsServices {
  readonly name: string;
  readonly version: string;
  readonly phase: () => Phase;
  /** Null if changes can be stored. */
  readonly failure: () => Error | null;
  readonly document: () => object;
  /** Numbers for `/metrics`, by name. */
  readonly gauges: () => Readonly<Record<string, readonly [help: string, value: number]>>;
}

/** Health, metrics and documents of the process. */
export function operationsRoutes(services: OperationsServices): AnyRoute[] {
  const info = () => ({
    name: services.name,
    version: services.version,
    phase: services.phase(),
    uptimeMs: Math.round(process.uptime() * 1_000),
    startables: {},
  });
  const routes = [
    route({
      method: 'GET',
      path: '/health/live',
      access: 'open',
      summary: 'Answers 200 while the process runs',
      answer: { status: 'live', checks: {} },
      handle: () => ({ status: 'live', checks: {} }),
    }),
    route({
      method: 'GET',
      path: '/health/ready',
      access: 'open',
      summary: 'Answers 200 if the process can do its work',
      answer: { status: 'ready', checks: {} },
      alike: { 503: 'Not ready' },
      handle: ({ reply }) => {
        const ok = services.failure() === null;
        const status = ok ? services.phase() : 'failing';
        void reply.header('cache-control', 'no-store');
        if (status !== 'ready') void reply.status(503);
        return { status, checks: { storage: { ok, required: true } } };
      },
    }),
    route({
      method: 'GET',
      path: '/metrics',
      access: 'open',
      summary: 'The metrics in Prometheus’ text format',
      answer: '# HELP …',
      answerType: 'text/plain',
      handle: () => {
        const { rss, heapUsed } = process.memoryUsage();
        const { user, system } = process.cpuUsage();
        const all = {
          process_resident_memory_bytes: ['Resident memory in bytes', rss],
          nodejs_heap_size_used_bytes: ['Used heap in bytes', heapUsed],
          process_cpu_seconds_total: ['Processor time in seconds', (user + system) / 1_000_000],
          ...services.gauges(),
        } as const;
        const lines = Object.entries(all).flatMap(([name, [help, value]]) => {
          const type = name.endsWith('_total') ? 'counter' : 'gauge';
          return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
        });
        return new Raw(`${lines.join('\n')}\n`, 'text/plain; version=0.0.4; charset=utf-8');
      },
    }),
    route({
      method: 'GET',
      path: '/api/info',
      access: 'operations',
      summary: 'Name, version and uptime',
      answer: { name: 'platform-sandbox', version: '0.2.0', phase: 'ready', uptimeMs: 12, startables: {} },
      handle: info,
    }),
    ...(['/api/openapi.json', '/admin/openapi.json'] as const).map((path) =>
      route({
        method: 'GET',
        path,
        access: path.startsWith('/admin') ? 'admin' : 'operations',
        summary: 'This document',
        answer: { openapi: '3.1.0' },
        handle: services.document,
      }),
    ),
    route({
      method: 'GET',
      path: '/docs',
      access: 'open',
      summary: 'A page of this document',
      answer: '<!doctype html>',
      answerType: 'text/html',
      handle: ({ reply }) => {
        void reply.header(
          'content-security-policy',
          "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
        );
        return new Raw(DOCS_PAGE, 'text/html; charset=utf-8');
      },
    }),
  ];
  return routes.map((one) => ({ ...one, isOfProcess: true }));
}
