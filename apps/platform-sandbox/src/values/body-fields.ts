import { isJsonObject, keyOf, type Json, type JsonObject } from './exact-json.ts';

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** What a body says, or all that is wrong with it. */
export type Reading<T> =
  | { readonly kind: 'valid'; readonly value: T }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/** Reads the fields of a body one by one. What is no object has none. */
export class BodyFields {
  readonly problems: FieldProblem[] = [];
  private readonly given: JsonObject;

  constructor(body: Json) {
    this.given = isJsonObject(body) ? body : {};
  }

  /** The field as `read` has it, which gives undefined where it is wrong: then `message` says what would be right. */
  field<T>(field: string, read: (value: Json | undefined) => T | undefined, message: string): T {
    const value = read(keyOf(this.given, field));
    if (value === undefined) this.problems.push({ field, message });
    // Where it is none, the reading is invalid.
    return value as T;
  }

  reading<T>(value: T): Reading<T> {
    return this.problems.length > 0 ? { kind: 'invalid', problems: this.problems } : { kind: 'valid', value };
  }
}

export function textNotEmpty(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
