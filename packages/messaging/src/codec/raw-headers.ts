/** Header names and values in their order on the wire. Kafka allows a name twice and a value of null. */
export type RawHeaders = ReadonlyArray<readonly [name: string, value: Buffer | null]>;
