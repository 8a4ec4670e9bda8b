// npm run contract: generates docs/contract from the code. With the argument `release`, the schemas are also stored
// as those of the version in package.json, with which later ones are compared.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { CONTRACT_FOLDER, contractFiles, contractVersion, RELEASED_FOLDER } from './contract-files.ts';

await rm(new URL('schemas/', CONTRACT_FOLDER), { recursive: true, force: true });
for (const [path, text] of contractFiles()) {
  const file = new URL(path, CONTRACT_FOLDER);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
if (process.argv[2] === 'release') {
  const released = new URL(`${contractVersion()}/`, RELEASED_FOLDER);
  await cp(new URL('schemas/', CONTRACT_FOLDER), released, { recursive: true });
}
