import type { JsonRecord } from '@gondola/shared/json/json-digits';

/** A GUID of a reference, the same each time. */
export const guidOf = (text: unknown): string =>
  `00000000-0000-4000-8000-${Buffer.from(String(text)).toString('hex').padStart(12, '0').slice(-12)}`;

/** The read model of a product (docs/platform.md, "Product read model"). */
export function readModelOf(externalReference: string, skus: readonly JsonRecord[], more: object = {}): object {
  const entries = skus.map(({ unitOfMeasurement, ...rest }) => ({
    ...rest,
    arithmeticFactor: undefined,
    id: guidOf(rest['externalReference']),
    unitOfMeasure: unitOfMeasurement,
    active: true,
  }));
  return { externalReference, id: guidOf(externalReference), active: true, skus: entries, ...more };
}
