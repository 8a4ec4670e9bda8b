/** Version of the tests and the images; dependencies require 22.19 or newer. */
const LEAST_MAJOR = 24;

/**
 * Ends the process with one sentence if Node.js is too old for this program. On an older version, dependencies fail
 * while they are loaded, with a stack trace. Therefore a `main.ts` calls this first, and imports everything else
 * afterwards by `await import(…)`.
 */
export function requireNode(): void {
  const sentence = nodeTooOld(process.versions.node);
  if (sentence === null) return;
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Null if the version is new enough. */
export function nodeTooOld(version: string): string | null {
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return null;
  return (
    `É preciso o Node.js ${LEAST_MAJOR} ou mais novo; este é o ${version} (no repositório, npx node usa o certo) / ` +
    `Node.js ${LEAST_MAJOR} or newer is needed; this is ${version} (in the repository, npx node runs the right one)`
  );
}
