import type { Dashboard, Panel } from './dashboards.ts';

const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '${source}' };

/**
 * A dashboard as Grafana imports and provisions it (schema 39). Its Prometheus is chosen by a variable, so that the
 * same file fits any installation.
 */
export function grafanaDashboard({ id, title, about, panels }: Dashboard): object {
  return {
    uid: `gondola-${id}`,
    title,
    description: about,
    tags: ['gondola'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    links: [{ title: 'Gondola', type: 'dashboards', tags: ['gondola'], asDropdown: true }],
    panels: panels.map(panelJson),
  };
}

function panelJson({ title, about, unit, form, queries }: Panel, index: number): object {
  return {
    id: index + 1,
    type: form ?? 'timeseries',
    title,
    description: about,
    datasource: SOURCE,
    gridPos: { w: WIDTH, h: HEIGHT, x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(({ query, legend }, place) => ({
      refId: String.fromCodePoint(65 + place),
      datasource: SOURCE,
      expr: query,
      legendFormat: legend,
    })),
  };
}
