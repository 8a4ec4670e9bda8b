import type { CatalogDefaults } from '@gondola/shared/catalog-defaults';
import type { CatalogueOp } from '@gondola/shared/catalogue-control';
import { readCatalogueRecord } from '@gondola/shared/catalogue-record';
import { decodeUtf8, isPlainRecord, type JsonRecord, tryParseWithDigits } from '@gondola/shared/json-digits';
import { prepareProduct as prepareContent } from '@gondola/shared/product-record';
import type { Language } from '@gondola/shared/reason-codes';
import type { UnitName } from '@gondola/shared/units';
import { covers } from './applied-product.ts';
import { type Conclusion, invalid, invalidWhole, unchanged } from './conclusion.ts';
import type { KnownProduct } from './known-product.ts';
import type { ProductProgress } from './product-progress.ts';

/** What the tenant's file says about products. */
export interface TenantCatalog {
  readonly units: Readonly<Record<string, UnitName>>;
  readonly defaults: CatalogDefaults;
  readonly commercialPolicies: Readonly<Record<string, string>>;
  readonly allowedExtraKeys: readonly string[];
}

/** A record before its first sending. */
export type Prepared =
  | { readonly kind: 'ready'; readonly progress: ProductProgress }
  | { readonly kind: 'concluded'; readonly conclusion: Conclusion }
  /** Whether it creates or changes a product has to be read first: it lacks what only a new product needs. */
  | { readonly kind: 'look' };

/** The `active` that an `op` sets (rule 29): a product is taken out, never deleted. */
const ACTIVE: Readonly<Partial<Record<CatalogueOp, boolean>>> = { activate: true, deactivate: false, delete: false };

/**
 * Checks and translates a product record (rules 20 to 23, 28, 29). The platform checks nothing before it answers, so whatever is wrong has
 * to be found here.
 */
export function prepareProduct(
  record: { readonly value: Uint8Array | null; readonly externalReference: string },
  known: KnownProduct,
  catalog: TenantCatalog,
  language: Language,
): Prepared {
  const { op, sourceVersion, force, content, errors } = readCatalogueRecord(contentOf(record), language);
  if (errors.length > 0) return concluded(invalid(errors));
  if (sourceVersion !== null && known.sourceVersion !== null && sourceVersion < BigInt(known.sourceVersion)) {
    return concluded(
      invalidWhole('STALE_VERSION', language, { field: 'sourceVersion', params: { known: known.sourceVersion } }),
    );
  }
  const active = ACTIVE[op];
  const wanted = active === undefined ? content : { ...content, active };
  const context = { ...catalog, language, known: { product: known.exists === true, skus: new Set(known.skus) } };
  if (known.exists === null) {
    const bare = prepareContent(wanted, { ...context, defaults: {} });
    if (bare.errors.some(({ code }) => code === 'FIELD_REQUIRED')) return { kind: 'look' };
  }
  if (op !== 'upsert' && known.exists === false) {
    return concluded(
      active === false ? unchanged() : invalidWhole('REFERENCE_MISSING', language, { field: 'externalReference' }),
    );
  }
  const prepared = prepareContent(wanted, context);
  if (prepared.errors.length > 0) return concluded(invalid(prepared.errors));
  if (!force && covers(known.applied, prepared.body)) return concluded(unchanged());
  const { body, warnings } = prepared;
  const version = sourceVersion === null ? null : String(sourceVersion);
  return {
    kind: 'ready',
    progress: { body, warnings, sourceVersion: version, sendings: [], read: null, blocked: null },
  };
}

/** The record's object; a tombstone is the same as `op: delete`. That it is one was seen when it was taken. */
function contentOf({ value, externalReference }: { value: Uint8Array | null; externalReference: string }): JsonRecord {
  if (value === null) return { op: 'delete', externalReference };
  const content = tryParseWithDigits(decodeUtf8(value) ?? '');
  if (!isPlainRecord(content)) throw new Error('A record that was taken as JSON is none');
  return content;
}

function concluded(conclusion: Conclusion): Prepared {
  return { kind: 'concluded', conclusion };
}
