import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';

/** The bytes of a fact's `data`, and the order in them, which is parsed once. */
export class FactData {
  readonly bytes: Uint8Array;
  #record: JsonRecord | null | undefined;

  constructor(bytes: Uint8Array, record?: JsonRecord) {
    this.bytes = bytes;
    this.#record = record;
  }

  /** Null if the bytes are no JSON object. */
  get record(): JsonRecord | null {
    return (this.#record ??= parseRecord(this.bytes));
  }
}
