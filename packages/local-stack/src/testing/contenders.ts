import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Contenders extends AsyncDisposable {
  /** Sends an order to all of them at once, and returns their answers. */
  all(order: string): Promise<string[]>;
}

/** Separate processes that try to take the same thing (`lock-contender.ts`). They end with the test's scope. */
export async function startContenders(count: number): Promise<Contenders> {
  const children = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, 'lock-contender.ts'), { execArgv: [] }),
  );
  const answers = () => Promise.all(children.map(async (child) => (await once(child, 'message'))[0] as string));
  await answers();
  return {
    all: async (order) => {
      const answered = answers();
      for (const child of children) child.send(order);
      return await answered;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = Promise.all(children.map((child) => once(child, 'exit')));
      for (const child of children) child.kill('SIGKILL');
      await ended;
    },
  };
}
