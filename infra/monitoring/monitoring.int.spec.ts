import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type DocumentedMetric, readMetrics } from '../metrics-document.ts';
import { DASHBOARDS } from './dashboards.ts';
import { grafanaDashboard } from './grafana.ts';
import { mistakesIn } from './promql.ts';

const INFRA = join(import.meta.dirname, '..');
const RULES = join(INFRA, 'alerts/gondola.yaml');

interface Rule {
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

/** Debian's package `prometheus` has it; `.ci/run` installs it. */
const byPromtool = spawnSync('promtool', ['--version']).error === undefined ? describe : describe.skip;

let metrics: readonly DocumentedMetric[];

beforeAll(async () => {
  metrics = await readMetrics();
});

describe('the dashboards', () => {
  it.each(DASHBOARDS.map((dashboard) => [dashboard.id, dashboard] as const))(
    '%s asks for metrics and labels that an app has',
    (_id, { panels }) => {
      const queries = panels.flatMap((panel) => panel.queries.map(({ query }) => query));
      expect(queries.flatMap((query) => mistakesIn(query, metrics))).toEqual([]);
    },
  );

  it('are as described: else run `npm run dashboards -w infra`', () => {
    const folder = join(INFRA, 'grafana');
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const described = DASHBOARDS.map((dashboard) => [`${dashboard.id}.json`, grafanaDashboard(dashboard)] as const);
    expect(Object.fromEntries(readdirSync(folder).map((name) => [name, read(name)]))).toEqual(
      Object.fromEntries(described),
    );
  });
});

describe('the alerts', () => {
  it('ask for metrics and labels that an app has', () => {
    expect(rules.flatMap(({ expr }) => mistakesIn(expr, metrics))).toEqual([]);
  });

  it('each say cause and effect, and have a section of the runbook', () => {
    const sections = [...readFileSync(join(INFRA, '../docs/runbook.md'), 'utf8').matchAll(/^### (\w+)$/gm)];
    expect(new Set(sections.map(([, name]) => name))).toEqual(new Set(alerts.map(({ alert }) => alert)));
    for (const { alert = '', labels, annotations } of alerts) {
      expect(['page', 'ticket']).toContain(labels?.severity);
      const runbook = `docs/runbook.md#${alert.toLowerCase()}`;
      expect(annotations).toEqual({
        summary: expect.any(String),
        cause: expect.any(String),
        effect: expect.any(String),
        runbook,
      });
    }
  });

  it('are each seen to fire by a test', () => {
    const tests = readFileSync(join(INFRA, 'alerts/gondola.test.yaml'), 'utf8');
    expect(alerts.filter(({ alert }) => !tests.includes(`alertname="${alert}"`))).toEqual([]);
  });
});

byPromtool('the alerts, by promtool (skipped without it)', () => {
  it('are quiet in a good hour, and each fires for its trouble alone', () => {
    const told = execFileSync('promtool', ['test', 'rules', join(INFRA, 'alerts/gondola.test.yaml')], {
      encoding: 'utf8',
    });
    expect(told).toContain('SUCCESS');
  });
});
