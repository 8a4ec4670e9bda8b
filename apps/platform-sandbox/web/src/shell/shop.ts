import { useSearch } from '@tanstack/react-router';
import { useRead } from '../api/sandbox.ts';
import type { Tenant } from '../api/types.ts';

/** The merchants of the sandbox, and the one that the page is about: that of the address (`?shop=`), else the first. */
export function useShop(): { readonly shop: Tenant | undefined; readonly shops: readonly Tenant[] | undefined } {
  const wanted = useSearch({ strict: false }).shop;
  const { data: shops } = useRead<readonly Tenant[]>('/admin/tenants');
  return { shop: shops?.find(({ contractAccountId }) => contractAccountId === wanted) ?? shops?.[0], shops };
}
