import { writeFileSync } from 'node:fs';
import { DASHBOARDS } from './dashboards.ts';
import { grafanaDashboard } from './grafana.ts';

// `npm run dashboards -w infra`: writes `infra/grafana/*.json`.
for (const dashboard of DASHBOARDS) {
  writeFileSync(
    new URL(`../grafana/${dashboard.id}.json`, import.meta.url),
    JSON.stringify(grafanaDashboard(dashboard)),
  );
}
