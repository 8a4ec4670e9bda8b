import type { AppName, AppOverview } from '../api/overview.ts';

export type Party = 'erp' | 'platform' | 'gondola' | 'operator' | 'engineer';

/** Something that somebody must do: what, since when, and who. */
export type Matter = { readonly since: string | null; readonly who: Party } & (
  | { readonly kind: 'app'; readonly app: AppName; readonly isAway: boolean; readonly failing: readonly string[] }
  | { readonly kind: 'orders'; readonly code: string; readonly orders: number }
  | { readonly kind: 'quarantine'; readonly entries: number; readonly isMore: boolean }
  | { readonly kind: 'letters'; readonly app: AppName; readonly letters: number; readonly isMore: boolean }
);

/** One page of a list; the page does not count a million rows. */
export interface Listed<Entry> {
  readonly entries: readonly Entry[];
  readonly isMore: boolean;
}

interface Attention {
  readonly code: string;
  readonly since: string;
  readonly waitsFor: 'erp' | 'platform' | 'gondola' | 'operator';
}

/** Answers of the apps; undefined is one that could not be read. */
export interface Known {
  readonly apps: readonly AppOverview[] | undefined;
  readonly orders: ReadonlyArray<{ readonly attention: readonly Attention[] }> | undefined;
  readonly quarantine: Listed<{ readonly receivedAt: string }> | undefined;
  readonly letters: ReadonlyMap<AppName, Listed<{ readonly deadAt: string }> | undefined>;
}

/** Everything that needs somebody: what stops everything first, then the eldest. */
export function mattersOf(known: Known): readonly Matter[] {
  const others = [...ofOrders(known.orders ?? []), ...ofQuarantine(known.quarantine), ...ofLetters(known.letters)];
  return [...ofApps(known.apps ?? []), ...others.toSorted((one, other) => compare(one.since, other.since))];
}

function ofApps(apps: readonly AppOverview[]): Matter[] {
  return apps
    .filter(({ state }) => state !== 'ready')
    .map(({ app, state, since, checks }) => ({
      kind: 'app',
      app,
      isAway: state === 'away',
      failing: Object.keys(checks).filter((name) => checks[name] === false),
      since,
      who: 'engineer',
    }));
}

function ofOrders(orders: NonNullable<Known['orders']>): Matter[] {
  const all = orders.flatMap(({ attention }) => attention);
  return [...Map.groupBy(all, ({ code, waitsFor }) => `${code} ${waitsFor}`).values()].map((alike) => ({
    kind: 'orders',
    code: alike[0]!.code,
    orders: alike.length,
    since: eldest(alike.map(({ since }) => since)),
    who: alike[0]!.waitsFor,
  }));
}

function ofQuarantine(listed: Known['quarantine']): Matter[] {
  if (listed === undefined || listed.entries.length === 0) return [];
  const since = eldest(listed.entries.map(({ receivedAt }) => receivedAt));
  return [{ kind: 'quarantine', entries: listed.entries.length, isMore: listed.isMore, since, who: 'operator' }];
}

function ofLetters(letters: Known['letters']): Matter[] {
  return [...letters].flatMap(([app, listed]) => {
    if (listed === undefined || listed.entries.length === 0) return [];
    const since = eldest(listed.entries.map(({ deadAt }) => deadAt));
    return [{ kind: 'letters', app, letters: listed.entries.length, isMore: listed.isMore, since, who: 'operator' }];
  });
}

function eldest(times: readonly string[]): string | null {
  return times.reduce<string | null>((first, time) => (first === null || time < first ? time : first), null);
}

function compare(one: string | null, other: string | null): number {
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
