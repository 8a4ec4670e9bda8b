/**
 * A program that only owns a stack, for tests that kill it: prints the addresses, then waits. Argument: the data
 * folder of a PostgreSQL; without it, a complete temporary stack.
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
