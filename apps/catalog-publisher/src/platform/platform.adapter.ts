import type { MutationAnswer } from '@gondola/platform-client/answers';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { isPlainRecord, type JsonRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';

interface CallOptions {
  readonly signal: AbortSignal;
  readonly traceparent?: string;
  /** The only record of a batch, so that its failures count once for the circuit breaker. */
  readonly about?: string;
  /** Before calls that wait for a slot and are not urgent. */
  readonly urgent?: boolean;
}

/** The routes that take records, many in one call. */
const BATCH_ROUTES = {
  postProducts: (client, body, options) => client.postProducts(body, options),
  postBrands: (client, body, options) => client.postBrands(body, options),
  deleteBrands: (client, body, options) => client.deleteBrands(JSON.parse(body) as string[], options),
  postCategories: (client, body, options) => client.postCategories(body, options),
  postPrices: (client, body, options) => client.postPrices(body, options),
  postWarehouses: (client, body, options) => client.postWarehouses(body, options),
  postStock: (client, body, options) => client.postStock(body, options),
} as const satisfies Record<
  string,
  (client: PlatformClient, body: string, options: CallOptions) => Promise<MutationAnswer>
>;

export type BatchRoute = keyof typeof BATCH_ROUTES;

/** Answer to a read of a product. */
export type ProductAnswer =
  /** Null: the shop has no such product. */
  | { readonly kind: 'read'; readonly product: JsonRecord | null }
  /** A 4xx that will not change. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable'; readonly cause: string; readonly retryAfterMs: number };

/** The platform's catalog routes of one tenant. */
export class PlatformAdapter {
  constructor(private readonly client: PlatformClient) {}

  /** @param body JSON array of the records' items */
  async post(route: BatchRoute, body: string, options: CallOptions): Promise<MutationAnswer> {
    return BATCH_ROUTES[route](this.client, body, options);
  }

  async readProduct(externalReference: string, options: CallOptions): Promise<ProductAnswer> {
    const answer = await this.client.getProduct(externalReference, options);
    if (answer.kind === 'unavailable' || answer.kind === 'refused') return answer;
    const product = answer.kind === 'found' ? tryParseWithDigits(answer.value) : null;
    return { kind: 'read', product: isPlainRecord(product) ? product : null };
  }

  /** Milliseconds for which no call of the route goes through; 0 when one may. */
  pausedForMs(route: BatchRoute | 'getProduct'): number {
    const until = this.client.openUntil(route);
    return until === null ? 0 : Math.max(0, until - (performance.timeOrigin + performance.now()));
  }
}
