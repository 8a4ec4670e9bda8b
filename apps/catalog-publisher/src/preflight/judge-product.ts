import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { skuReferences } from '../product-state/applied-product.ts';
import { afterUnchanged, type KnownProduct, UNKNOWN_PRODUCT, withEffect } from '../product-state/known-product.ts';
import { immutableReasons, type KnownSku } from '../product-state/known-sku.ts';
import { invalid } from '../products/conclude-product.ts';
import { prepareProduct } from '../products/prepare-product.ts';
import type { TenantCatalog } from '../records/record-plan.ts';
import type { Judge } from './judge-records.ts';
import { type IsKnown, judgedBy, judgedValid } from './judged-record.ts';

/** Stored state that products are judged by. */
export interface KnownProducts {
  readonly catalog: TenantCatalog;
  readonly language: Language;
  readonly products: ReadonlyMap<string, KnownProduct>;
  /** SKUs of these products, and those that their records name. */
  readonly skus: readonly KnownSku[];
  readonly isKnown: IsKnown;
}

const NOBODY = { commandId: '', traceparent: '' };

/**
 * Judges products as their lanes would. An unknown product counts as one that is not in the shop, which only a read
 * would tell.
 */
export function productJudge({ catalog, language, skus, isKnown, ...known }: KnownProducts): Judge {
  const products = new Map(known.products);
  const byReference = new Map(skus.map((sku) => [sku.externalReference, sku]));
  const byProduct = Map.groupBy(skus, ({ productExternalReference }) => productExternalReference);

  function claim(externalReference: string, productExternalReference: string): void {
    if (byReference.has(externalReference)) return;
    const claimed = { externalReference, productExternalReference, version: '0', content: null };
    byReference.set(externalReference, claimed);
    byProduct.set(productExternalReference, [...(byProduct.get(productExternalReference) ?? []), claimed]);
  }

  return (record) => {
    const { externalReference } = record;
    const product = products.get(externalReference) ?? UNKNOWN_PRODUCT;
    const leave = (after: KnownProduct, version: string | null): void =>
      void products.set(externalReference, { ...after, sourceVersion: version ?? product.sourceVersion });
    const prepared = prepareProduct({ ...record, looked: true }, product, catalog, language);
    if (prepared.kind === 'look')
      throw new Error('A product whose record was marked as looked up must not be looked up again');
    if (prepared.kind === 'concluded') {
      const { conclusion, sourceVersion, warnings } = prepared;
      leave(conclusion.outcome === 'unchanged' ? afterUnchanged(product, record.command) : product, sourceVersion);
      return judgedBy(conclusion, warnings);
    }
    const { progress, content, made } = prepared;
    const { body, warnings, sourceVersion } = progress;
    const written = { content, body, productExternalReference: externalReference };
    const errors = immutableReasons(written, { byReference, byProduct }, product.applied, language);
    if (errors.length > 0) {
      leave(product, sourceVersion);
      return judgedBy(invalid(errors, []), warnings);
    }
    const named = skuReferences(body);
    leave(
      withEffect(product, { kind: 'entered', body, skus: new Set(named) }, { ...NOBODY, command: record.command }),
      sourceVersion,
    );
    for (const reference of named) claim(reference, externalReference);
    return judgedValid(made, isKnown, warnings);
  };
}
