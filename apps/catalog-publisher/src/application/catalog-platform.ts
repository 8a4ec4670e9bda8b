import type { MutationAnswer } from '@gondola/platform-client/answers';
import type { JsonRecord } from '@gondola/shared/json/json-digits';

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly traceparent?: string;
}

/** What reading a product gave. */
export type ProductAnswer =
  /** Null: the shop has no such product. */
  | { readonly kind: 'read'; readonly product: JsonRecord | null }
  /** A 4xx that will not change. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable'; readonly cause: string; readonly retryAfterMs: number };

/** Posts a JSON array. */
type Post = (bodyText: string, options: CallOptions) => Promise<MutationAnswer>;

/** The platform's catalog of one tenant, as the use cases need it. */
export interface CatalogPlatform {
  readonly postProducts: Post;
  readonly postBrands: Post;
  readonly postCategories: Post;
  /** Of references. */
  readonly deleteBrands: Post;
  readProduct(externalReference: string, options: CallOptions): Promise<ProductAnswer>;
  /** Milliseconds for which no call goes through; 0 when one may. */
  pausedForMs(): number;
}
