// npm run metrics -w infra: writes docs/metrics.md.
import { writeFile } from 'node:fs/promises';
import { metricsDocument, readMetrics } from './metrics-document.ts';

await writeFile(new URL('../docs/metrics.md', import.meta.url), metricsDocument(await readMetrics()));
