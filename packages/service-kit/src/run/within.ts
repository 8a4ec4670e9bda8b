/** True if `work` settles within `ms`; otherwise `work` continues. Never throws the error of `work`. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

/**
 * The result of `work`, or undefined as soon as `signal` is aborted; `work` then continues, and its error is dropped.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', end));
}
