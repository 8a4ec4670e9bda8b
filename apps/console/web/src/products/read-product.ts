import { answerOf, catalog } from '../api/clients.ts';
import type { Product } from './product-parts.ts';

/** A product; `isRevealed`, which is recorded: with the values that are of no known form, too. */
export async function readProduct(
  tenant: string,
  externalReference: string,
  isRevealed: boolean,
  signal?: AbortSignal,
): Promise<Product> {
  const query = { tenant, ...(isRevealed && { unmasked: 'true' }) };
  const options = { params: { path: { externalReference }, query }, ...(signal !== undefined && { signal }) };
  return (await answerOf(catalog.GET('/api/products/{externalReference}', options))) as unknown as Product;
}
