import type { CheckRules } from '@gondola/shared/records/check-record';
import { WrongUsage } from '../command-line/option-values.ts';
import type { Say } from '../texts/texts.ts';

/** Rules of a tenant for the check of a record on its own. */
export type TenantRules = Pick<CheckRules, 'units' | 'defaults' | 'commercialPolicies' | 'allowedExtraKeys'>;

/**
 * `catalog` of a tenant of a tenants file, by the apps' own reader; null if that is not built. The reader reads no
 * secret. Only this command loads it, as it loads the check itself.
 *
 * @param id may be left out for a file of one tenant
 */
export async function readTenantRules(path: string, id: string | undefined, say: Say): Promise<TenantRules | null> {
  const loadTenants = await loadReader();
  if (loadTenants === null) return null;
  const tenants = tenantsOf(() => loadTenants(path, {}, []));
  const found = id === undefined && tenants.length === 1 ? tenants[0] : tenants.find((tenant) => tenant.id === id);
  if (found === undefined) {
    throw new WrongUsage(say('tenantUnclear', { path, tenants: tenants.map((tenant) => tenant.id).join(', ') }));
  }
  const { units, defaults, commercialPolicies, allowedExtraKeys } = found.catalog;
  return { units, defaults, commercialPolicies, allowedExtraKeys };
}

function tenantsOf<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // The sentence has every problem and its place, in both languages, and no value of the file.
    if (error instanceof Error && 'problems' in error) throw new WrongUsage(error.message);
    throw error;
  }
}

async function loadReader() {
  try {
    return (await import('@gondola/service-kit/config/tenants-file')).loadTenants;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
