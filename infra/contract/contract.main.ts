// npm run contract: generates docs/contract from the code, and examples of further events, which git ignores.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { CONTRACT_FOLDER, contractFiles, madeExamples } from './contract-files.ts';

await rm(new URL('schemas/', CONTRACT_FOLDER), { recursive: true, force: true });
for (const [path, text] of [...contractFiles(), ...madeExamples()]) {
  const file = new URL(path, CONTRACT_FOLDER);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
