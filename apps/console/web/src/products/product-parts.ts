import type { components } from '../api/catalog-publisher.d.ts';

/** A reason of a result (docs/contract.md, "Results"). */
export interface FieldReason {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly hint?: string;
  readonly skuExternalReference?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** A product as the operations API shows it, with the parts that its document leaves open named here. */
export interface Product extends Omit<components['schemas']['ShownProduct'], 'applied' | 'lastEnd'> {
  readonly applied: { readonly product: Values; readonly skus: Readonly<Record<string, Values>> };
  readonly lastEnd: {
    readonly commandId: string;
    readonly command: string;
    readonly outcome: string;
    readonly reason: FieldReason | null;
    readonly errors: readonly FieldReason[];
    readonly finishedAt: string;
  } | null;
}

/** The record that would bring the shop to what was last applied, as a JSON text. */
export function recordOf({ externalReference, applied }: Product): string {
  const skus = Object.entries(applied.skus).map(([reference, values]) => ({ externalReference: reference, ...values }));
  return JSON.stringify({ externalReference, ...applied.product, ...(skus.length > 0 && { skus }) });
}

/** The slug of another product that a record had, if the platform refused it for that. The reason quotes it. */
export function takenSlugOf({ lastEnd }: Product): string | null {
  const taken = lastEnd?.errors.find(({ code }) => code === 'SLUG_TAKEN');
  return /"([^"]+)"/.exec(taken?.message ?? '')?.[1] ?? null;
}

/** A value of a record in a cell. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
