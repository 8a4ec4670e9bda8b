const IS_LONG = process.env['GONDOLA_LONG'] !== undefined;

/**
 * Returns the first value in `npm test`, the second in `npm run test:long`, which runs only the suites that import
 * this: a number of rounds, a list of seeds, `sized(describe.skip, describe)`.
 */
export function sized<T>(normal: T, long: T): T {
  return IS_LONG ? long : normal;
}
