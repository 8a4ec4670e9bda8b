// npm run console:api: generates what follows from the operations APIs: types for the page (`web/src/api`), the routes
// that are passed on (`src/passing/passed-routes.ts`), the shapes of their answers (`answer-shapes.ts` beside it), and
// what the command line calls (`apps/cli/src/operations-api/command-routes.ts`).
import { writeFile } from 'node:fs/promises';
import { CONSOLE, generatedFiles } from './api-types.ts';

for (const [name, text] of await generatedFiles()) await writeFile(new URL(name, CONSOLE), text);
