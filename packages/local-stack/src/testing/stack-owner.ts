/**
 * A program that owns a stack and does nothing else, for tests that end it the hard way: prints where it runs, then
 * waits. Argument: the data folder of a PostgreSQL to keep; without it, a whole temporary stack.
 */
import { startLocalStack } from '../local-stack.ts';
import { startPostgres } from '../postgres.ts';

const dataDir = process.argv[2];
if (dataDir === undefined) {
  const { kafka, postgres } = await startLocalStack();
  process.stdout.write(`${JSON.stringify([kafka?.pid, postgres?.pid])}\n`);
} else {
  const { pid } = await startPostgres({ dataDir, durable: false });
  process.stdout.write(`${JSON.stringify([pid])}\n`);
}
