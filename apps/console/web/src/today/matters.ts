import type { Party } from '../texts/words.ts';
import type { AppName, AppOverview } from '../api/overview.ts';

/** Something that somebody must do: what, since when, and who. */
export type Matter = { readonly since: string | null; readonly who: Party } & (
  | { readonly kind: 'app'; readonly app: AppName; readonly isAway: boolean; readonly failing: readonly string[] }
  | { readonly kind: 'orders'; readonly code: string; readonly orders: number }
  | { readonly kind: 'quarantine'; readonly entries: number; readonly isMore: boolean }
  | { readonly kind: 'letters'; readonly app: AppName; readonly letters: number; readonly isMore: boolean }
  | { readonly kind: 'pause'; readonly cause: Pause['cause'] }
  | { readonly kind: 'parked'; readonly app: AppName; readonly records: number }
  | { readonly kind: 'rejections'; readonly records: number; readonly isMore: boolean }
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

interface Pause {
  readonly cause: 'paused' | 'credentials' | 'throttled';
  readonly since: string;
}

/** An app’s day: calls that the platform does not answer, and records that Kafka refused for good. */
interface AppToday {
  readonly pauses: readonly Pause[];
  readonly outbox: { readonly parked: number };
}

interface Rejected {
  readonly count: number;
  readonly isMore: boolean;
  readonly oldestAt: string;
}

/** Answers of the apps; undefined is one that could not be read. */
export interface Known {
  readonly apps: readonly AppOverview[] | undefined;
  readonly orders: ReadonlyArray<{ readonly attention: readonly Attention[] }> | undefined;
  readonly quarantine: Listed<{ readonly receivedAt: string }> | undefined;
  readonly letters: ReadonlyMap<AppName, Listed<{ readonly deadAt: string }> | undefined>;
  readonly today: ReadonlyMap<AppName, AppToday | undefined>;
  /** Records that the ERP must correct, by reason. */
  readonly rejected: readonly Rejected[] | undefined;
}

/** Everything that needs somebody: what stops everything first, then the eldest. */
export function mattersOf(known: Known): readonly Matter[] {
  const others = [
    ...ofPauses(known.today),
    ...ofParked(known.today),
    ...ofOrders(known.orders ?? []),
    ...ofQuarantine(known.quarantine),
    ...ofLetters(known.letters),
    ...ofRejected(known.rejected ?? []),
  ];
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

/** Each app has its own pauses of the platform: those with one cause are one matter. */
function ofPauses(today: Known['today']): Matter[] {
  const all = [...today.values()].flatMap((each) => each?.pauses ?? []);
  return [...Map.groupBy(all, ({ cause }) => cause)].map(([cause, alike]) => ({
    kind: 'pause',
    cause,
    since: eldest(alike.map(({ since }) => since)),
    who: cause === 'credentials' ? 'engineer' : 'platform',
  }));
}

function ofParked(today: Known['today']): Matter[] {
  return [...today].flatMap(([app, each]) => {
    const records = each?.outbox.parked ?? 0;
    return records === 0 ? [] : [{ kind: 'parked', app, records, since: null, who: 'engineer' }];
  });
}

function ofRejected(groups: readonly Rejected[]): Matter[] {
  if (groups.length === 0) return [];
  const records = groups.reduce((all, { count }) => all + count, 0);
  const isMore = groups.some((group) => group.isMore);
  return [{ kind: 'rejections', records, isMore, since: eldest(groups.map(({ oldestAt }) => oldestAt)), who: 'erp' }];
}

function eldest(times: readonly string[]): string | null {
  return times.reduce<string | null>((first, time) => (first === null || time < first ? time : first), null);
}

function compare(one: string | null, other: string | null): number {
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
