import type { CallContext, ReadAnswer } from '@gondola/platform-client/answers';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { isPlainRecord, type JsonRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';

/** Reads a product of the shop. */
export async function readProduct(
  client: PlatformClient,
  externalReference: string,
  context: CallContext,
): Promise<ReadAnswer<JsonRecord>> {
  const answer = await client.getProduct(externalReference, context);
  if (answer.kind !== 'found') return answer;
  const product = tryParseWithDigits(answer.value);
  return isPlainRecord(product) ? { kind: 'found', value: product } : { kind: 'not-found' };
}
