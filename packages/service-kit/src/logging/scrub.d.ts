/**
 * Removes personal data and secrets from free text before it is logged or shown: e-mail addresses, CPF and CNPJ,
 * phone and card numbers, the values of `Bearer` and `Basic`, user and password of a URL. It rather removes too
 * much (a time in milliseconds, for example) than too little; GUIDs and short numbers, such as an order's, stay. A
 * text longer than `limit` is cut.
 */
export declare function scrubText(text: string, limit: number): string;
/** A text of at most `limit` characters, with a sign if it was cut. */
export declare function bounded(text: string, limit: number): string;
