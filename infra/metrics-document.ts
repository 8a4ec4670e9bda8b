import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '@gondola/service-kit/run/create-app';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { type Metric, Registry } from 'prom-client';

/** A metric of one or several apps. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly apps: readonly string[];
}

/** Exports of an app's `config.ts` and `app.module.ts`. */
interface AppSource {
  readonly loadConfig: (env: Readonly<Record<string, string>>) => { http: { port: number } };
  readonly appOptions: (config: unknown, logger: unknown) => AppOptions;
}

const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway', 'console'];
const OWN = 'gondola_';
const TENANT = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'https://platform.example.com', username: 'erp-one', password: { env: 'PASSWORD' } },
  webhook: { tokens: [{ env: 'TOKEN' }] },
  uploads: { tokens: [{ env: 'TOKEN' }] },
};

/** Gondola's own metrics, as the apps register them when their modules are built; no app is started. */
export async function readMetrics(): Promise<DocumentedMetric[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-metrics-'));
  try {
    const file = join(folder, 'tenants.json');
    await writeFile(file, JSON.stringify({ tenants: [TENANT] }));
    const found = new Map<string, DocumentedMetric>();
    for (const app of APPS) {
      for (const metric of await metricsOf(app, { file, spool: join(folder, app) })) {
        const { apps = [] } = found.get(metric.name) ?? {};
        found.set(metric.name, { ...metric, apps: [...apps, app] });
      }
    }
    return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `docs/metrics.md`: a table of the metrics of all apps, and one for each app. */
export function metricsDocument(metrics: readonly DocumentedMetric[]): string {
  const isShared = ({ apps }: DocumentedMetric) => apps.length > 1;
  const own = (app: string) => metrics.filter((metric) => !isShared(metric) && metric.apps[0] === app);
  return [
    '# Metrics\n',
    'Written by `npm run metrics -w infra` from what the apps register; `infra/metrics-document.int.spec.ts` fails when it is out of date.\n',
    'Each app answers `GET /metrics` in the text format of Prometheus. Beside these each has the metrics of its process that prom-client collects (`process_*`, `nodejs_*`).\n',
    '## Several apps\n',
    table(['Metric', 'Type', 'Labels', 'Meaning', 'Apps'], metrics.filter(isShared), ({ apps }) => [
      apps.length === APPS.length ? 'all' : apps.join(', '),
    ]),
    ...APPS.flatMap((app) =>
      own(app).length === 0 ? [] : [`## ${app}\n`, table(['Metric', 'Type', 'Labels', 'Meaning'], own(app), () => [])],
    ),
  ].join('\n');
}

async function metricsOf(app: string, { file, spool }: { file: string; spool: string }): Promise<DocumentedMetric[]> {
  const source = new URL(`../apps/${app}/src/`, import.meta.url).href;
  const { loadConfig } = (await import(`${source}config.ts`)) as AppSource;
  const { appOptions } = (await import(`${source}app.module.ts`)) as AppSource;
  const config = loadConfig({
    DATABASE_URL: 'postgres://gondola:unused@127.0.0.1:9/gondola',
    KAFKA_BROKERS: '127.0.0.1:9',
    TENANTS_FILE: file,
    SPOOL_DIR: spool,
    OPERATIONS_TOKEN: 'an-unused-token-of-some-length',
    CONSOLE_LINK_SECRET: 'an-unused-secret-of-some-length',
    PASSWORD: 'unused',
    TOKEN: 'an-unused-token-of-some-length',
  });
  const running = await createApp(appOptions(config, createLogger({ app, level: 'silent' })));
  try {
    const metrics = running.app.get(Registry).getMetricsAsArray() as unknown as Metric[];
    return metrics.map((metric) => documented(metric)).filter(({ name }) => name.startsWith(OWN));
  } finally {
    await running.stop();
  }
}

/** prom-client stores a metric's configuration in fields that its types omit. */
function documented(metric: Metric): DocumentedMetric {
  const { name, help, labelNames } = metric as unknown as { name: string; help: string; labelNames: string[] };
  return { name, help, labels: labelNames, type: metric.constructor.name.toLowerCase(), apps: [] };
}

function table(
  titles: readonly string[],
  metrics: readonly DocumentedMetric[],
  more: (metric: DocumentedMetric) => readonly string[],
): string {
  const rows = metrics.map((metric) => {
    const { name, type, labels, help } = metric;
    return [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help, ...more(metric)];
  });
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
