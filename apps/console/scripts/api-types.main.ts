// npm run console:api: generates the types of the four operations APIs for the page (`web/src/api`).
import { writeFile } from 'node:fs/promises';
import { apiTypes, TYPES_FOLDER } from './api-types.ts';

for (const [name, text] of await apiTypes()) await writeFile(new URL(name, TYPES_FOLDER), text);
