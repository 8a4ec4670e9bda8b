import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { unlessForbidden } from '../api/unless-forbidden.ts';
import { answerOf, catalog, clientOf, orders, webhooks } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { type AppName, APPS, overviewQuery } from '../api/overview.ts';
import type { Listed, Known } from './matters.ts';

/** Entries that Today counts at most; beyond it, it says "more than". */
const COUNTED = 200;

const LETTER_APPS = ['order-command-handler', 'catalog-publisher', 'file-gateway'] as const;

/** Waiting work of each app, in the order of `APPS`. */
export function useTodayOf(tenant: string): UseQueryResult<components['schemas']['Today']>[] {
  return useQueries({
    queries: APPS.map((app) => ({
      queryKey: ['today', app, tenant],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answerOf(clientOf(app).GET('/api/today', { signal, params: { query: { tenant } } })),
      enabled: tenant !== '',
    })),
  });
}

/** The apps that call the platform all the time: a registration of the webhook has no pause. */
export const PAUSING_APPS = LETTER_APPS;
export type PausingApp = (typeof PAUSING_APPS)[number];

/** Pauses of the platform in all replicas, in the order of `PAUSING_APPS`. */
export function usePausesOf(tenant: string): UseQueryResult<components['schemas']['Pauses']>[] {
  return useQueries({
    queries: PAUSING_APPS.map((app) => ({
      queryKey: ['pauses', app, tenant],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answerOf(clientOf(app).GET('/api/pauses', { signal, params: { query: { tenant } } })),
      enabled: tenant !== '',
    })),
  });
}

/**
 * Reads all by which Today says whether all is well, each part on its own, so that an app away hides nothing else.
 */
export function useKnown(tenant: string): {
  readonly known: Known;
  readonly failed: readonly AppName[];
  readonly isPending: boolean;
} {
  const overview = useQuery(overviewQuery);
  const attention = useQuery({
    queryKey: ['orders', tenant, { attention: true, counted: COUNTED }],
    queryFn: ({ signal }) =>
      answerOf(orders.GET('/api/orders', { signal, params: { query: { tenant, attention: 'true', limit: COUNTED } } })),
    enabled: tenant !== '',
  });
  const quarantine = useQuery({
    queryKey: ['quarantine', tenant, { state: 'open', counted: COUNTED }],
    queryFn: ({ signal }) =>
      answerOf(
        webhooks.GET('/api/quarantine', { signal, params: { query: { tenant, state: 'open', limit: COUNTED } } }),
      ),
    enabled: tenant !== '',
  });
  const letters = useQueries({
    queries: LETTER_APPS.map((app) => ({
      queryKey: ['dead-letters', app, tenant],
      queryFn: ({ signal }: { signal: AbortSignal }) => lettersOf(app, tenant, signal),
      enabled: tenant !== '',
    })),
  });
  const today = useTodayOf(tenant);
  const rejected = useQuery({
    queryKey: ['rejections', 'groups', tenant],
    queryFn: ({ signal }) => answerOf(catalog.GET('/api/rejections/groups', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  const known: Known = {
    apps: overview.data?.apps,
    orders: attention.data?.entries,
    quarantine: listed(quarantine.data),
    letters: new Map(LETTER_APPS.map((app, index) => [app, letters[index]?.data])),
    today: new Map(APPS.map((app, index) => [app, today[index]?.data])),
    rejected: rejected.data?.groups,
  };
  const failed: AppName[] = [
    ...(isAway(attention) ? (['order-command-handler'] as const) : []),
    ...(isAway(quarantine) ? (['webhook-ingest'] as const) : []),
    ...LETTER_APPS.filter((_app, index) => isAway(letters[index]!)),
    ...APPS.filter((_app, index) => isAway(today[index]!)),
    ...(isAway(rejected) ? (['catalog-publisher'] as const) : []),
  ];
  const isPending = [overview, attention, quarantine, ...letters, ...today, rejected].some(
    (each) => each.isPending && !each.isError,
  );
  return { known, failed: [...new Set(failed)], isPending };
}

/** True if the answer is not known, for whatever reason. */
function isAway({ error }: Pick<UseQueryResult, 'error'>): boolean {
  return error !== null;
}

/** Open letters of the shop, and for who may see all shops also those of which no shop is known. */
async function lettersOf(app: (typeof LETTER_APPS)[number], tenant: string, signal: AbortSignal) {
  const openOf = async (shop: string) => {
    const options = { signal, params: { query: { tenant: shop, state: 'open', limit: COUNTED } } } as const;
    return answerOf(clientOf(app).GET('/api/dead-letters', options));
  };
  const [own, ofNone] = await Promise.all([
    openOf(tenant),
    unlessForbidden(openOf(''), { deadLetters: [], next: null }),
  ]);
  return {
    entries: [...own.deadLetters, ...ofNone.deadLetters],
    isMore: own.next !== null || ofNone.next !== null,
  };
}

function listed<Entry>(page: { entries: Entry[]; next: string | null } | undefined): Listed<Entry> | undefined {
  return page === undefined ? undefined : { entries: page.entries, isMore: page.next !== null };
}
