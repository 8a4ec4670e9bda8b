import { logTail } from './log-tail.ts';
import { type ProcessExit, spawnKept } from './process-keeper.ts';
import type { SpawnOrder } from './process-keeper.messages.ts';

/** Runs a program to its end, as a child that does not outlive this process. Throws what `failure` makes of the log's tail. */
export async function runKept(order: SpawnOrder, limitMs: number, failure: (tail: string) => Error): Promise<void> {
  const program = await spawnKept(order);
  const timer = setTimeout(() => void program.kill(), limitMs);
  const exit: ProcessExit = await program.exited;
  clearTimeout(timer);
  if (exit.code !== 0) throw failure(await logTail(order.logFile));
}
