/**
 * Patterns of times and dates in the published schemas, without lookaround, back-references and `\d`, which the engines
 * of other languages lack or read otherwise. They take exactly what `time.ts` reads, leap years included.
 */

const YEAR = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)';
const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const DAY_OF_MONTH = [
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
  '02-(?:0[1-9]|1[0-9]|2[0-8])',
];
const DATE = `(?:${YEAR}-(?:${DAY_OF_MONTH.join('|')})|${LEAP_YEAR}-02-29)`;
const HOUR = '(?:[01][0-9]|2[0-3])';
const SIXTY = '[0-5][0-9]';

/** Times that an ERP may write (`offsetMoment`). */
export const TIME_PATTERN = `^${DATE}[Tt ]${HOUR}:${SIXTY}(?::${SIXTY}(?:[.,][0-9]+)?)?(?:[Zz]|[+-]${HOUR}:?${SIXTY})$`;

/** Times that Gondola writes: the text of a `Moment`. */
export const WRITTEN_TIME_PATTERN = String.raw`^${DATE}T${HOUR}:${SIXTY}:${SIXTY}(?:\.[0-9]{1,7})?(?:Z|[+-]${HOUR}:${SIXTY})$`;
