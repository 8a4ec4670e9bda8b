import { intentOf } from './intent.ts';
import type { SentRecord } from './sent-record.ts';

/** Final outcome of a record, corrected if it was; the codes of its errors. */
export interface RecordEnd {
  readonly outcome: string;
  readonly codes: readonly string[];
}

export interface Evidence {
  /** In the order in which they were taken in, repeats included. */
  readonly records: readonly SentRecord[];
  /** By id. */
  readonly ends: ReadonlyMap<string, RecordEnd>;
  /** The shop's fields, by identity as in the intent; an entity that it lacks is absent. */
  readonly shop: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface Verdict {
  /** One sentence for each contradiction. */
  readonly problems: readonly string[];
  /** Newest records whose value the shop lacks, and which do not say that it has it. */
  readonly owed: readonly SentRecord[];
}

/** Ends by which the ERP takes it that the shop has the record's value, or a newer one. */
const SAYS_IT_HAS = new Set(['applied', 'unchanged', 'superseded']);
/** Ends by which a record changed nothing, so that the one before it is the newest. */
const CHANGES_NOTHING = new Set(['invalid', 'refused']);
/** Values are absolute: one that waited in vain for its SKU has superseded those before it. */
const ABSOLUTE = new Set(['price', 'stock', 'warehouse']);
const SAY_NO_VALUE = new Set(['externalReference', 'recordId', 'op', 'force', 'sourceVersion']);
const HIDES = new Set<unknown>(['deactivate', 'delete']);
/** Errors of records that name what was never confirmed. */
const FOLLOWS_UNCONFIRMED = new Set(['REFERENCE_MISSING', 'FIELD_REQUIRED']);

/**
 * Compares a shop with the intent of the ERP: it has the newest value of each identity, or the newest record does not
 * say so.
 */
export function judge({ records, ends, shop }: Evidence): Verdict {
  const problems: string[] = [];
  const owed = new Set<SentRecord>();
  const outcomeOf = ({ id }: SentRecord) => ends.get(id)?.outcome;
  const someUnconfirmed = records.some((record) => outcomeOf(record) === 'unconfirmed');
  const created = new Set<string>();
  for (const record of new Map(records.map((each) => [each.id, each])).values()) {
    const end = ends.get(record.id);
    if (end === undefined) problems.push(`${nameOf(record)} has no outcome`);
    else if (end.outcome === 'refused') {
      const mayBeNew = someUnconfirmed && !created.has(entityOf(record)) && isPart(record);
      if (!mayBeNew) problems.push(`${nameOf(record)} is refused, and nothing is wrong with it`);
    } else if (
      end.outcome === 'invalid' &&
      !(someUnconfirmed && end.codes.every((code) => FOLLOWS_UNCONFIRMED.has(code)))
    )
      problems.push(`${nameOf(record)} is invalid (${end.codes.join(', ')}), and nothing is wrong with it`);
    if (end?.outcome === 'applied') for (const entity of entitiesOf(record)) created.add(entity);
  }
  const applied = new Set<string>();
  const counts = (record: SentRecord): boolean => {
    const outcome = outcomeOf(record) ?? '';
    if (outcome === 'superseded' && !ABSOLUTE.has(record.kind) && !hasHeir(record, records, outcomeOf)) return false;
    const entity = entityOf(record);
    if (outcome === 'applied') applied.add(entity);
    // To hide what is not there is no change, nor is it a word on what is created later.
    if (outcome === 'unchanged' && HIDES.has(record.content?.['op'] ?? '') && !applied.has(entity)) return false;
    return ABSOLUTE.has(record.kind) || !CHANGES_NOTHING.has(outcome);
  };
  const intent = intentOf(records.filter(counts));
  for (const [identity, fields] of intent) {
    const wrong = [...fields].filter(([field, { value }]) => textOf(valueIn(shop, identity, field)) !== textOf(value));
    for (const [, { by }] of wrong) if (outcomeOf(by) === 'unconfirmed') owed.add(by);
    const said = wrong.filter(([, { by }]) => SAYS_IT_HAS.has(outcomeOf(by) ?? ''));
    for (const [field, { value, by }] of shop.has(identity) ? said : said.slice(0, 1)) {
      const has = shop.has(identity) ? textOf(valueIn(shop, identity, field)) : 'nothing';
      const asked = `${nameOf(by)}, which is ${outcomeOf(by)}, asked for ${textOf(value)}`;
      problems.push(`${identity} ${field}: the shop has ${has}, and ${asked}`);
    }
  }
  for (const identity of shop.keys())
    if (!intent.has(identity)) problems.push(`${identity}: the shop has it, and no record asked for it`);
  return { problems, owed: [...owed] };
}

/** True unless the record that took the place of one which waited changed nothing either. */
function hasHeir(
  { id, kind, reference, content }: SentRecord,
  records: readonly SentRecord[],
  outcomeOf: (record: SentRecord) => string | undefined,
): boolean {
  const keys = Object.keys(content ?? {}).filter((key) => !SAY_NO_VALUE.has(key));
  const removesNothing = (each: SentRecord) => each.content?.['op'] === 'delete' && outcomeOf(each) === 'unchanged';
  const heir = records
    .slice(records.findIndex((each) => each.id === id) + 1)
    .filter((each) => each.kind === kind && each.reference === reference && outcomeOf(each) !== 'superseded')
    .find((each) => removesNothing(each) || keys.every((key) => Object.hasOwn(each.content ?? {}, key)));
  return heir === undefined || !(removesNothing(heir) || CHANGES_NOTHING.has(outcomeOf(heir) ?? ''));
}

function valueIn(shop: Evidence['shop'], identity: string, field: string): unknown {
  const found = shop.get(identity);
  return field === 'exists' ? found !== undefined : found?.[field];
}

/** Null is what the shop shows for a field that it never got. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function entityOf({ kind, reference }: SentRecord): string {
  return `${kind} ${reference}`;
}

/** The entity of a record; of a tree, its children too. */
function entitiesOf(record: SentRecord): string[] {
  const children = (record.content?.['children'] ?? []) as readonly { readonly externalReference: string }[];
  return [entityOf(record), ...children.map(({ externalReference }) => `${record.kind} ${externalReference}`)];
}

/** True for some fields of a brand or category. The platform refuses them for one that was never confirmed. */
function isPart({ kind, content }: SentRecord): boolean {
  return (kind === 'brand' || kind === 'category') && !Object.hasOwn(content ?? {}, 'name');
}

function nameOf({ kind, reference, id }: SentRecord): string {
  return `${kind} ${reference} of ${id}`;
}
