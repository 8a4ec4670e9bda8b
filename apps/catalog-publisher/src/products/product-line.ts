import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { openLine } from '../lanes/open-line.ts';
import { afterApplying, type Effect, referenceOf, skuReferences, splitBody } from '../product-state/applied-product.ts';
import type { KnownProduct } from '../product-state/known-product.ts';
import { contentOf, highest } from '../records/read-record.ts';
import { concludePlan } from '../records/record-plan.ts';
import { isResend } from '../records/resend.ts';
import { bothOver, hasAllOf, overtakenFromText } from '../waiting/overtaking.ts';
import type { planProduct } from './decide-product.ts';
import type { ProductLane } from './load-products.service.ts';
import { type Prepared, prepareProduct, prepareResend, productContent } from './prepare-product.ts';
import { type ProductProgress, productProgress } from './product-progress.ts';
import { superseded } from './conclude-product.ts';

/** A record that may be the next one of its lane, prepared. */
export interface LineRecord {
  readonly state: ProductLane;
  /** State of the product for its preparation: with the version of the records before it. */
  readonly known: KnownProduct;
  /** Laid over the record: what later ones have set, and a later reference in place of an unknown one. */
  readonly over: JsonRecord | null;
  /** True if a later record that is valid has all that it has. */
  readonly isCovered: boolean;
  /** True if a later deletion of a product that is not in the shop leaves nothing for the record to do. */
  readonly isDeleted: boolean;
  /** True if it hides a product that those before it are to create. */
  readonly isPart: boolean;
  /** Set if it is invalid also once the records before it are applied. */
  readonly invalid: Prepared | null;
  /** Null without an open record. */
  readonly prepared: Prepared | null;
}

type ProductPlan = ReturnType<typeof planProduct>;

const FIELD_OF = { brand: 'brandExternalReference', category: 'categoryExternalReference', sku: '' } as const;

/** The records of a lane of which the oldest waits and none is sent, oldest first; else only that of the step. */
export function lineOf(tenant: CatalogTenant, state: ProductLane): LineRecord[] {
  return placesOf(tenant, state).map((each) => ({ ...each, prepared: each.invalid ?? preparedOf(tenant, each) }));
}

type LinePlace = Omit<LineRecord, 'prepared'>;

function placesOf({ catalog, language }: CatalogTenant, state: ProductLane): LinePlace[] {
  const { known } = state;
  const states = openLine(state, productProgress);
  if (states.length === 1) {
    const over = overtakenFromText(state.command?.progress ?? null).over;
    return states.map((alone) => ({
      state: alone,
      known,
      over,
      isCovered: false,
      isDeleted: false,
      isPart: false,
      invalid: null,
    }));
  }
  const read = states.map((each) => ({ state: each, ...readOf(each, language) }));
  const judged = read.map((each, index) => {
    const before = read.slice(0, index);
    const versioned = {
      ...known,
      sourceVersion: before.reduce((at, { version }) => highest(at, version), known.sourceVersion),
    };
    const { waiting, over } = overtakenFromText(each.state.command?.progress ?? null);
    const record = { ...each.record, looked: true, over, waited: waiting !== null || over !== null };
    const then = prepareProduct(record, afterAll(versioned, before), catalog, language);
    const invalid = then.kind === 'concluded' && then.conclusion.outcome === 'invalid' ? then : null;
    return { ...each, known: index === 0 ? known : versioned, waiting, over, invalid };
  });
  return judged.map(({ state: own, op, content, waiting, over, invalid, known: knownThen }, index) => {
    const before = judged.slice(0, index);
    const later = judged.slice(index + 1).filter((each) => each.invalid === null);
    const awaited = waiting?.for.map(({ kind }) => FIELD_OF[kind]) ?? [];
    // A part that stands between needs the product.
    const isCovered = (known.exists ? later : later.slice(0, 1)).some((each) => hasAllOf(each.content, content));
    const renamed = isCovered ? {} : later.reduce((all, each) => ({ ...all, ...only(each.content, awaited) }), {});
    return {
      state: own,
      known: knownThen,
      over: Object.keys(renamed).length === 0 ? over : bothOver(over, renamed),
      isCovered,
      isDeleted: !known.exists && later.some((each) => each.op === 'delete'),
      isPart:
        !known.exists &&
        op === 'deactivate' &&
        before.some((each) => each.invalid === null && !hasAllOf(content, each.content)),
      invalid: index === 0 ? null : invalid,
    };
  });
}

function preparedOf({ catalog, language }: CatalogTenant, { state, known, over }: LinePlace): Prepared | null {
  const { command, lane, looked, progress } = state;
  if (command === null) return null;
  if (progress !== null) return { kind: 'ready', progress, made: [], content: progress.body };
  if (isResend(command)) return prepareResend(lane.identity, known, catalog, language);
  const before = overtakenFromText(command.progress);
  const waited = before.waiting !== null || before.over !== null;
  const record = { value: command.value, externalReference: lane.identity, looked, over, waited };
  return prepareProduct(record, known, catalog, language);
}

/** Content that an ended record set in the shop; null for none. */
export function setByProduct(
  { command, lane }: ProductLane,
  { effect, conclusion }: NonNullable<ProductLane['end']>,
  language: Language,
): JsonRecord | null {
  if (effect.kind === 'none' && conclusion.outcome !== 'unchanged') return null;
  const content = productContent({ value: command?.value ?? null, externalReference: lane.identity }, language);
  return effect.kind === 'entered' ? withSkus(content, effect.skus) : content;
}

/** Ends a record that waits because a later one has all that it has. */
export function supersededPlan({ state, known }: LineRecord): ProductPlan {
  const { command, lane } = state;
  const content = contentOf({ value: command?.value ?? null, externalReference: lane.identity });
  const { sourceVersion } = readCatalogRecord(content, 'en');
  return concludePlan<ProductProgress, Effect>(null, {
    conclusion: superseded(skuReferences(content)),
    effect: { kind: 'none' },
    sourceVersion: sourceVersion === null ? known.sourceVersion : String(sourceVersion),
    warnings: [],
    anomaly: false,
  });
}

function readOf({ command, lane }: ProductLane, language: Language) {
  const record = { value: command?.value ?? null, externalReference: lane.identity };
  const { op, sourceVersion, errors } = readCatalogRecord(contentOf(record), language);
  const version = errors.length > 0 || sourceVersion === null ? null : String(sourceVersion);
  return { record, op, content: productContent(record, language), version };
}

/** The product once contents are applied to it. */
function afterAll(known: KnownProduct, before: readonly { readonly content: JsonRecord }[]): KnownProduct {
  return before.reduce((at, { content }): KnownProduct => {
    const skus = skuReferences(content);
    const applied = afterApplying(at.applied, content, new Set(skus));
    return { ...at, exists: true, mayExist: true, skus: [...new Set([...at.skus, ...skus])], applied };
  }, known);
}

function only(content: JsonRecord, fields: readonly string[]): JsonRecord {
  return Object.fromEntries(
    fields.flatMap((field): [string, JsonValue][] => (Object.hasOwn(content, field) ? [[field, content[field]!]] : [])),
  );
}

function withSkus(content: JsonRecord, entered: ReadonlySet<string>): JsonRecord {
  const { skus } = splitBody(content);
  return skus.length === 0 ? content : { ...content, skus: skus.filter((sku) => entered.has(referenceOf(sku))) };
}
