import { TEST_ACCOUNT, tenantOn } from '@gondola/kafka/testing/test-installation';

export const TENANT = 'acme';
/** Tenant whose deadlines a test sets; nothing of acme's reaches a deadline, or a third of it, in a test. */
export const HASTY = 'beta';
export const TOKEN = 'upload-token-of-acme-for-tests';
export const OTHER_TOKEN = 'upload-token-of-beta-for-tests';

export interface Deadlines {
  readonly commandMs?: number;
  readonly referencesMs?: number;
  readonly settleMs?: number;
}

/** Entries of the tenants file; `deadlines` are the hasty tenant's. */
export function tenantsOf(baseUrl: string, deadlines: Deadlines = {}, allowedHosts: readonly string[] = []): object[] {
  const tenant = (id: string, contractAccountId: string, token: string, hurry: Deadlines = {}) =>
    tenantOn(baseUrl, {
      id,
      contractAccountId,
      deadlines: { commandMs: 3_600_000, ...hurry },
      uploads: { tokens: [{ env: token }] },
      files: { allowedHosts },
    });
  return [
    tenant(TENANT, TEST_ACCOUNT, 'TEST_UPLOAD_TOKEN'),
    tenant(HASTY, '22222222-2222-4222-8222-222222222222', 'TEST_OTHER_TOKEN', deadlines),
  ];
}
