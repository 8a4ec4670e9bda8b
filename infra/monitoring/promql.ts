/** A metric that a query reads, with the labels by which the query selects its series. */
export interface MetricUse {
  readonly metric: string;
  readonly labels: readonly string[];
}

const SELECTOR = /\b((?:gondola|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
const GROUPING = /\b(?:by|on)\s*\(([^)]*)\)/g;
/** Labels that Prometheus adds to every series, or to the buckets of a histogram. */
const ADDED = ['job', 'instance', 'le'];
const PARTS_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

/**
 * The metrics that a PromQL query of Gondola's reads. A label by which the query groups counts for each of them, unless
 * Prometheus adds it.
 */
export function metricsOf(query: string): MetricUse[] {
  const grouped = [...query.matchAll(GROUPING)].flatMap(([, list = '']) => list.split(','));
  return [...query.matchAll(SELECTOR)].map(([, metric = '', matchers = '']) => {
    const selected = [...matchers.matchAll(/([a-z_]+)\s*(?:=|!=|=~|!~)\s*"/g)].map(([, label = '']) => label);
    const labels = [...selected, ...grouped.map((label) => label.trim())];
    return { metric, labels: [...new Set(labels)].filter((label) => label !== '' && !ADDED.includes(label)) };
  });
}

/** A metric as an app registers it. */
interface Registered {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** Mistakes of a query: metrics and labels that no app registers. */
export function mistakesIn(query: string, registered: readonly Registered[]): string[] {
  return metricsOf(query).flatMap(({ metric, labels }) => {
    const whole = metric.replace(PARTS_OF_HISTOGRAM, '');
    const found = registered.find(({ name, type }) => name === metric || (name === whole && type === 'histogram'));
    if (found === undefined) return [`no app has the metric ${metric}`];
    return labels
      .filter((label) => !found.labels.includes(label))
      .map((label) => `${metric} has no label ${label}, but ${found.labels.join(', ') || 'none'}`);
  });
}
