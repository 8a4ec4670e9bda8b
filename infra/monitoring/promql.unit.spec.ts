import { describe, expect, it } from '@jest/globals';
import { metricsOf, mistakesIn } from './promql.ts';

const REGISTERED = [
  { name: 'gondola_platform_calls_total', type: 'counter', labels: ['tenant', 'route', 'result'] },
  { name: 'gondola_platform_call_duration_seconds', type: 'histogram', labels: ['tenant', 'route'] },
];

describe('a query', () => {
  it('names its metrics, and the labels by which it selects and groups', () => {
    const query = 'sum by (tenant, le) (rate(gondola_platform_calls_total{result!="accepted",job="x"}[5m])) / up';
    expect(metricsOf(query)).toEqual([{ metric: 'gondola_platform_calls_total', labels: ['result', 'tenant'] }]);
  });

  it('may read the parts of a histogram', () => {
    const query =
      'histogram_quantile(0.99, sum by (le, route) (rate(gondola_platform_call_duration_seconds_bucket[5m])))';
    expect(mistakesIn(query, REGISTERED)).toEqual([]);
  });

  it('is wrong if no app has its metric, or the metric not its label', () => {
    expect(mistakesIn('gondola_platform_call_total', REGISTERED)).toEqual([
      'no app has the metric gondola_platform_call_total',
    ]);
    expect(mistakesIn('gondola_platform_calls_total_count', REGISTERED)).toHaveLength(1);
    expect(mistakesIn('sum by (shop) (gondola_platform_calls_total)', REGISTERED)).toEqual([
      'gondola_platform_calls_total has no label shop, but tenant, route, result',
    ]);
  });
});
