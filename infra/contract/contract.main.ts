// npm run contract: generates docs/contract from the code. `npm run release` stores the schemas as those of a release.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { CONTRACT_FOLDER, contractFiles } from './contract-files.ts';

await rm(new URL('schemas/', CONTRACT_FOLDER), { recursive: true, force: true });
for (const [path, text] of contractFiles()) {
  const file = new URL(path, CONTRACT_FOLDER);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
