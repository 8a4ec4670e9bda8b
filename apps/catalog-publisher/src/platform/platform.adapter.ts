import type { MutationAnswer, Unavailable } from '@gondola/platform-client/answers';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import type { BatchRoute } from '@gondola/platform-client/routes';
import { isPlainRecord, type JsonRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';

interface CallOptions {
  readonly signal: AbortSignal;
  readonly traceparent?: string;
  /** The only record of a batch, so that its failures count once for the circuit breaker. */
  readonly about?: string;
  /** Before calls that wait for a slot and are not urgent. */
  readonly urgent?: boolean;
}

/** Answer to a read of a product. */
export type ProductAnswer =
  /** Null: the shop has no such product. */
  | { readonly kind: 'read'; readonly product: JsonRecord | null }
  /** A 4xx that will not change. */
  | { readonly kind: 'refused' }
  | Unavailable;

/** The platform's catalog routes of one tenant. */
export class PlatformAdapter {
  constructor(private readonly client: PlatformClient) {}

  /** @param body JSON array of the records' items */
  async post(route: BatchRoute, body: string, options: CallOptions): Promise<MutationAnswer> {
    return this.client.sendRecords(route, body, options);
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
