// npm run contract: writes what docs/contract has from the code.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { CONTRACT_FOLDER, contractFiles } from './contract-files.ts';

await rm(new URL('schemas/', CONTRACT_FOLDER), { recursive: true, force: true });
for (const [path, text] of contractFiles()) {
  const file = new URL(path, CONTRACT_FOLDER);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
