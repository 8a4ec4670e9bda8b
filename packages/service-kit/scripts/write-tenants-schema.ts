import { writeFileSync } from 'node:fs';
import { tenantsJsonSchema } from '../src/config/tenants-file.ts';

// Editors validate the tenants file against this schema; a test compares the committed file with the code.
const file = new URL('../../../docs/tenants.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(tenantsJsonSchema(), null, 2)}\n`);
