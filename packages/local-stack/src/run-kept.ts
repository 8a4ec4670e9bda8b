import { logEnd, logSince, tailOf } from './log-tail.ts';
import { spawnKept } from './process-keeper.ts';
import type { SpawnOrder } from './process-keeper.messages.ts';

/**
 * Runs a program to its end, as a child that does not outlive this process. If it fails, throws what `failure` makes of
 * its log's tail.
 */
export async function runKept(order: SpawnOrder, limitMs: number, failure: (tail: string) => Error): Promise<void> {
  const start = await logEnd(order.logFile);
  const program = await spawnKept(order);
  const timer = setTimeout(() => void program.kill(), limitMs);
  const { code } = await program.exited;
  clearTimeout(timer);
  if (code !== 0) throw failure(tailOf(await logSince(order.logFile, start)));
}
