import { type JsonRecord, valueAtPath } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import type { WireProfile } from './wire-profile.ts';

/**
 * What the invoice saga reads in an order's payload (`webhook-payload`, or the `data` of a notification), where the
 * wire profile says.
 */

/** Whether the order's invoice is registered. False says nothing where the payload is older than the registration. */
export function showsRegistration(profile: Pick<WireProfile, 'registrationPath'>, payload: JsonRecord): boolean {
  return (valueAtPath(payload, profile.registrationPath) ?? null) !== null;
}

/** The final price that the invoice has to equal, as decimal text (rule 14); null where the payload has none. */
export function readFinalPrice(profile: Pick<WireProfile, 'finalPricePaths'>, payload: JsonRecord): string | null {
  for (const path of profile.finalPricePaths) {
    const amount = moneyText(valueAtPath(payload, path));
    if (amount !== null) return amount;
  }
  return null;
}
