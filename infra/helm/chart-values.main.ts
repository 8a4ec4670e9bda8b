// npm run chart -w infra: writes the schema of the chart's values from what the apps read.
import { writeFileSync } from 'node:fs';
import { valuesSchema } from './chart-values.ts';

const schema = JSON.stringify(await valuesSchema());
writeFileSync(new URL('gondola/values.schema.json', import.meta.url), schema);
