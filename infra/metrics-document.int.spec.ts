import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { type DocumentedMetric, metricsDocument, readMetrics } from './metrics-document.ts';

const METRIC: DocumentedMetric = {
  name: 'gondola_made_total',
  type: 'counter',
  help: 'Things that were made.',
  labels: ['kind', 'tenant'],
  apps: ['file-gateway'],
};

describe('docs/metrics.md', () => {
  it('names every metric that an app registers, with its type, labels and help', async () => {
    const document = await readFile(new URL('../docs/metrics.md', import.meta.url), 'utf8');
    expect(document).toBe(metricsDocument(await readMetrics()));
  });

  it('puts what several apps have before what one has', () => {
    const shared = { ...METRIC, name: 'gondola_shared', type: 'gauge', labels: [], apps: ['webhook-ingest', 'x'] };
    const [, several = '', own = ''] = metricsDocument([METRIC, shared]).split(/^## .*$/m);
    expect(several).toContain('| `gondola_shared` | gauge |  | Things that were made. | webhook-ingest, x |');
    expect(own).toContain('| `gondola_made_total` | counter | `kind`, `tenant` | Things that were made. |');
  });
});
