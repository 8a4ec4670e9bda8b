import type { FilledFields } from '@gondola/platform-client/wire-bodies';
import type { WireProfile } from '@gondola/platform-client/wire-profile';
import type { PlaceNames } from '@gondola/shared/catalog/value-place';
import { type ValueKind, VALUES } from '@gondola/shared/topics/values';
import type { TenantCatalog } from './record-plan.ts';

/** A tenant's names for the identity of a value: those of its wire profile, and its aliases of policies. */
export interface ValueNames extends PlaceNames {
  readonly fields: FilledFields;
}

export function placeNamesOf(
  tenant: { readonly profile: WireProfile; readonly catalog: Pick<TenantCatalog, 'commercialPolicies'> },
  kind: ValueKind,
): ValueNames {
  return { fields: tenant.profile[VALUES[kind].fields], policies: tenant.catalog.commercialPolicies };
}
