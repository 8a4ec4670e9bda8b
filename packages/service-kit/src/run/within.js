/** True if `work` settles within `ms`; otherwise `work` continues. Never throws the error of `work`. */
export async function settlesWithin(ms, work) {
  const { promise: late, resolve } = Promise.withResolvers();
  const timer = setTimeout(() => resolve(false), ms);
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
//# sourceMappingURL=within.js.map
