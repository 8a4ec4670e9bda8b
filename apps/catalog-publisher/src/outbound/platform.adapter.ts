import type { MutationAnswer } from '@gondola/platform-client/answers';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { isPlainRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import type { CallOptions, CatalogPlatform, ProductAnswer } from '../application/catalog-platform.ts';

/** The platform's catalog routes of one tenant, in the words of the use cases. */
export class PlatformAdapter implements CatalogPlatform {
  readonly #client: PlatformClient;

  constructor(client: PlatformClient) {
    this.#client = client;
  }

  readonly postProducts = (bodyText: string, options: CallOptions): Promise<MutationAnswer> =>
    this.#client.postProducts(bodyText, options);

  readonly postBrands = (bodyText: string, options: CallOptions): Promise<MutationAnswer> =>
    this.#client.postBrands(bodyText, options);

  readonly postCategories = (bodyText: string, options: CallOptions): Promise<MutationAnswer> =>
    this.#client.postCategories(bodyText, options);

  readonly deleteBrands = (bodyText: string, options: CallOptions): Promise<MutationAnswer> =>
    this.#client.deleteBrands(JSON.parse(bodyText) as string[], options);

  async readProduct(externalReference: string, options: CallOptions): Promise<ProductAnswer> {
    const answer = await this.#client.getProduct(externalReference, options);
    if (answer.kind === 'unavailable' || answer.kind === 'refused') return answer;
    const product = answer.kind === 'found' ? tryParseWithDigits(answer.value) : null;
    return { kind: 'read', product: isPlainRecord(product) ? product : null };
  }

  pausedForMs(): number {
    const until = this.#client.pausedUntil();
    return until === null ? 0 : Math.max(0, until - (performance.timeOrigin + performance.now()));
  }
}
