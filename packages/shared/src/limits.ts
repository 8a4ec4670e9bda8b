/**
 * Every limit on one record, so that no record asks for work, memory or an answer without a bound. What exceeds one
 * ends `invalid` with the code `LIMIT`, or, where no identity is readable, as a dead letter. Limits of the platform's
 * own fields stand in their DTOs.
 */

/** Digits of a number, written out without an exponent. Longer numbers mean nothing to the platform. */
export const MAX_DIGITS = 60;

/** Characters of a JSON number anywhere in a record: sign, digits, point and exponent. */
export const MAX_NUMBER_LENGTH = 64;

/** Digits of an exponent: a larger one asks for more zeros than any number of the contract has. */
export const MAX_EXPONENT_DIGITS = 3;

/** Objects and arrays within each other, the outermost included. No record of the contract has ten. */
export const MAX_NESTING = 256;

/**
 * Characters of an identity: `commandId`, `recordId`, `externalReference`, `uploadId`. Every code of the platform's
 * document is far below it.
 */
export const MAX_IDENTITY_LENGTH = 512;

/**
 * Entries of `errors[]`, of `warnings[]`, and of the errors of one SKU; one more entry says how many there are beyond.
 */
export const MAX_REPORTED = 100;

/** Characters of a field's name in a reason: a key may be as long as its record. */
export const MAX_REPORTED_NAME = 200;

/** Characters at either end of a value that is too long to be repeated in a reason. */
export const ABBREVIATED_ENDS = 8;

/** Entries of the lists of a record, each judged one by one. */
export const MAX_SKUS = 1_000;
export const MAX_ITEMS = 1_000;
export const MAX_IMAGES = 100;
export const MAX_FILES = 1_000;

/** Categories of one tree, the outermost included. */
export const MAX_CATEGORIES = 2_000;

/**
 * Bytes of the JSON of a result or an order event: below the 1,048,588 that a topic takes by default for a whole batch,
 * with room for key and headers. A longer one is cut (`fit-result`, `fit-order-event`).
 */
export const MAX_VALUE_BYTES = 900_000;
