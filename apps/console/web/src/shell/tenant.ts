import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';

/** The shop that the page is about, and whether this operator may act there. */
export interface Tenant {
  readonly id: string;
  readonly act: boolean;
}

const NOBODY: Tenant = { id: '', act: false };

/** The shop of the address (`?shop=`), else the first that this operator may see. */
export function useTenant(): Tenant {
  const { shop } = useSearch({ strict: false });
  const { data } = useQuery(sessionQuery);
  const tenants = data?.kind === 'signed-in' ? data.tenants : [];
  return tenants.find(({ id }) => id === shop) ?? tenants[0] ?? NOBODY;
}
