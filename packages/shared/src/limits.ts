/**
 * All limits on one record, so that no record causes work, memory use or an answer without limit. A record beyond a
 * limit is `invalid` with the code `LIMIT`, or a dead letter if its identity is unreadable. Limits of the
 * platform's own fields are in their DTOs.
 */

/** Digits of a number, written without an exponent. Longer numbers have no meaning for the platform. */
export const MAX_DIGITS = 60;

/** Characters of a JSON number anywhere in a record: sign, digits, point and exponent. */
export const MAX_NUMBER_LENGTH = 64;

/** Digits of an exponent: a larger one would add more zeros than any number of the contract has. */
export const MAX_EXPONENT_DIGITS = 3;

/** Nesting depth of objects and arrays, including the outermost. No record of the contract has ten levels. */
export const MAX_NESTING = 256;

/**
 * Characters of an identity: `commandId`, `recordId`, `externalReference`, `uploadId`. All codes in the platform's
 * document are much shorter.
 */
export const MAX_IDENTITY_LENGTH = 512;

/**
 * Entries of `errors[]`, of `warnings[]`, and of the errors of one SKU; one more entry contains the number of
 * further ones.
 */
export const MAX_REPORTED = 100;

/** Characters of a field's name in a reason, since a key may be as long as its record. */
export const MAX_REPORTED_NAME = 200;

/** Characters at each end of a value that is too long to repeat in a reason. */
export const ABBREVIATED_ENDS = 8;

/** Entries of a record's lists; each entry is checked individually. */
export const MAX_SKUS = 1_000;
export const MAX_ITEMS = 1_000;
export const MAX_IMAGES = 100;
export const MAX_FILES = 1_000;

/** Categories of one tree, including the outermost. */
export const MAX_CATEGORIES = 2_000;

/**
 * Bytes of the JSON of a result or an order event: below the 1,048,588 that a topic accepts by default for a whole
 * batch, with room for key and headers. A longer one is cut (`fit-result`, `fit-order-event`).
 */
export const MAX_VALUE_BYTES = 900_000;
