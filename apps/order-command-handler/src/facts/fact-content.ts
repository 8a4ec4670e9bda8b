import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';

/** The platform's `data` in one fact: its bytes, and the object in them, which is parsed once. */
export class FactContent {
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
