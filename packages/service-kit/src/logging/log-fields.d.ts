/**
 * The only field names that are logged. The values of a listed field cannot be personal data: identities of
 * Gondola's and the merchant's records, counts, durations, states. A new field is one line here; an unlisted field
 * is dropped and counted in `dropped`.
 */
export declare const LOG_FIELDS: ReadonlySet<string>;
/** Fields with text written by people or libraries: logged, but scrubbed like a message. */
export declare const LOG_TEXT_FIELDS: ReadonlySet<string>;
/** Fields that hold an error; it becomes `{ name, code, message }`. */
export declare const LOG_ERROR_FIELDS: ReadonlySet<string>;
