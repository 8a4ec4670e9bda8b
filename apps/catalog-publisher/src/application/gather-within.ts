import { settlesWithin } from '@gondola/messaging/within';

/** What came of some tasks in a while: the values of those that are done, and the others, still on their way. */
export interface Gathered<T> {
  readonly done: readonly T[];
  readonly late: readonly Promise<T>[];
}

/** Waits `ms` for tasks that do not fail, so that a slow one keeps the others waiting no longer than that. */
export async function gatherWithin<T>(tasks: readonly Promise<T>[], ms: number): Promise<Gathered<T>> {
  const done = new Map<Promise<T>, T>();
  const watched = tasks.map(async (task) => void done.set(task, await task));
  await settlesWithin(ms, Promise.allSettled(watched));
  const late = tasks.filter((task) => !done.has(task));
  return { done: [...done.values()], late };
}
