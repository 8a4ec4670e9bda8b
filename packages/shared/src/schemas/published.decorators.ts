import type { Dto } from './json-schema.ts';

/** Definition of one field of a record that Gondola writes. */
export interface PublishedSpec {
  readonly type: PublishedType;
  /** Description in the published schemas. */
  readonly about?: string;
  /** The value may be null. */
  readonly nullable?: true;
  /** The field may be absent. */
  readonly optional?: true;
  /** The value is a list of such values. */
  readonly list?: true;
  /** `word`: the possible values. */
  readonly choices?: readonly string[];
  /** `word`: a later release may add choices, so a reader must accept others. */
  readonly open?: true;
  /** `record`: class of the value, or several possible classes. */
  readonly of?: () => Dto | readonly Dto[];
}

/**
 * `money` is decimal text with at least two decimals, `decimal` is decimal text without trailing zeros, `time` has
 * an offset, `json` is any value from the platform.
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

/** Declares a field that Gondola writes; it is always present unless it is `optional`. */
export function Published(spec: PublishedSpec): PropertyDecorator {
  return (target, property) => {
    const own = SPECS.get(target.constructor) ?? new Map<string, PublishedSpec>();
    SPECS.set(target.constructor, own.set(String(property), spec));
  };
}

/** Fields of a class, those of its base class first; null if Gondola does not write it. */
export function publishedFields(dto: Dto): Readonly<Record<string, PublishedSpec>> | null {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited = typeof base === 'function' ? publishedFields(base as Dto) : null;
  const own = SPECS.get(dto);
  if (own === undefined) return inherited;
  return { ...inherited, ...Object.fromEntries(own) };
}
