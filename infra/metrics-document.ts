import { readUnstartedApps } from '@gondola/service-kit/testing/unstarted-apps';
import { type Metric, Registry } from 'prom-client';

/** A metric of one or several apps. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly apps: readonly string[];
}

const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway', 'console'];
const OWN = 'gondola_';

/**
 * Metrics of the apps and of their processes, as the apps register them when their modules are built; no app is
 * started.
 */
export async function readMetrics(): Promise<DocumentedMetric[]> {
  const metrics = await readUnstartedApps(new URL('../apps/', import.meta.url), APPS, (running, app) => {
    const registered = running.get(Registry).getMetricsAsArray() as unknown as Metric[];
    return registered.map((metric) => documented(metric, app));
  });
  const found = new Map<string, DocumentedMetric>();
  for (const metric of metrics.flat()) {
    const { apps = [] } = found.get(metric.name) ?? {};
    found.set(metric.name, { ...metric, apps: [...apps, ...metric.apps] });
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** `docs/metrics.md`, of Gondola's own metrics: a table of the metrics of all apps, and one for each app. */
export function metricsDocument(registered: readonly DocumentedMetric[]): string {
  const metrics = registered.filter(({ name }) => name.startsWith(OWN));
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

/** prom-client stores a metric's configuration in fields that its types omit. */
function documented(metric: Metric, app: string): DocumentedMetric {
  const { name, help, labelNames } = metric as unknown as { name: string; help: string; labelNames: string[] };
  return { name, help, labels: labelNames, type: metric.constructor.name.toLowerCase(), apps: [app] };
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
