import type { Dto } from '../contract/json-schema.ts';

/** What a DTO says of one field of a record that Gondola writes. */
export interface PublishedSpec {
  readonly type: PublishedType;
  /** What it means; a description in the published schemas. */
  readonly about?: string;
  /** May be null. */
  readonly nullable?: true;
  /** May be left out. */
  readonly optional?: true;
  /** A list of such values. */
  readonly list?: true;
  /** `word`: what it is one of. */
  readonly choices?: readonly string[];
  /** `word`: a later release may add choices, so that a reader has to bear others. */
  readonly open?: true;
  /** `record`: the class of what it is; several where it is one of them. */
  readonly of?: () => Dto | readonly Dto[];
}

/**
 * `money` is decimal text with at least two decimals, `decimal` decimal text without trailing zeros, `time` has an
 * offset, `json` is whatever the platform sent.
 */
export type PublishedType =
  | 'text'
  | 'word'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'time'
  | 'date'
  | 'money'
  | 'decimal'
  | 'record'
  | 'json';

const SPECS = new Map<object, Map<string, PublishedSpec>>();

/** All that is said of a field that Gondola writes; it is always there unless it says `optional`. */
export function Published(spec: PublishedSpec): PropertyDecorator {
  return (target, property) => {
    const own = SPECS.get(target.constructor) ?? new Map<string, PublishedSpec>();
    SPECS.set(target.constructor, own.set(String(property), spec));
  };
}

/** The fields of a class, those of the class that it extends first; null for one that Gondola does not write. */
export function publishedFields(dto: Dto): Readonly<Record<string, PublishedSpec>> | null {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited = typeof base === 'function' ? publishedFields(base as Dto) : null;
  const own = SPECS.get(dto);
  if (own === undefined) return inherited;
  return { ...inherited, ...Object.fromEntries(own) };
}
