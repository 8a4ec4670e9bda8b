import type { AppName } from '../operations-api/addresses.ts';
import { type Listed, listPages } from '../operations-api/list-pages.ts';
import { type Entry, entriesOf } from '../operations-api/operations-api.ts';
import { WrongUsage } from './option-values.ts';
import { type Columns, tableOrNone } from '../output/blocks.ts';
import { explainFailure } from '../output/explain-failure.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import type { Session } from './command.ts';

interface ListedEverywhere {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Member of an app's answer that has the entries, and name of all of them in the JSON document. */
  readonly member: 'deadLetters' | 'entries';
  /** Name of the list in the JSON document, if it is not that of the member. */
  readonly name?: string;
  /** Time by which the newest come first. */
  readonly time: string;
  readonly columns: Columns;
  /** Column that is cut if the terminal is too narrow. */
  readonly flexible: string;
  readonly limit: number;
}

/**
 * Asks all apps at once, because each stores its own entries. If one does not answer, those of the others are still
 * listed.
 */
export async function listOfApps(
  { api, say }: Session,
  apps: readonly AppName[],
  { path, query, member, name = member, time, columns, flexible, limit }: ListedEverywhere,
): Promise<Report> {
  const results = await Promise.all(
    apps.map(async (app) => ({ app, result: await listPages(api, { app, path, query, member, limit }) })),
  );
  const listed = results.flatMap(({ app, result }) => (result.kind === 'listed' ? [{ app, ...result }] : []));
  const failed = results.flatMap(({ app, result }) =>
    result.kind === 'listed' ? [] : [{ app, ...explainFailure(result, say) }],
  );
  const all = newestFirst(listed, time);
  const entries = all.slice(0, limit);
  const more = all.length > limit || listed.some(({ next }) => next !== null);
  const table = listed.length === 0 ? null : tableOrNone(say, columns, entries, flexible);
  const notes = more ? [say('moreLimit')] : [];
  return reportOfApps(say, { json: { [name]: entries, more }, table, failed, notes });
}

/** The app that is asked for, or all. An address that the command line gives is one app's. */
export function appsOf<A extends AppName>(
  app: A | undefined,
  all: readonly A[],
  { apiUrl, say }: { readonly apiUrl?: string | undefined; readonly say: Say },
): readonly A[] {
  if (app !== undefined) return [app];
  if (apiUrl !== undefined) throw new WrongUsage(say('apiUrlWithoutApp'));
  return all;
}

interface WholeList {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Member of an app's answer that has the entries. */
  readonly member: string;
  /** Name of all entries in the JSON document. */
  readonly name: string;
  readonly columns: Columns;
  /** Column that is cut if the terminal is too narrow. */
  readonly flexible: string;
  /** Converts an entry for its row; the JSON document shows it unchanged. */
  readonly row: (entry: Entry) => Entry;
}

/** As `listOfApps`, of short lists without pages. */
export async function wholeListOfApps(
  { api, say }: Session,
  apps: readonly AppName[],
  { path, query, member, name, columns, flexible, row }: WholeList,
): Promise<Report> {
  const answers = await Promise.all(
    apps.map(async (app) => ({ app, result: await api.call({ app, method: 'GET', path, query }) })),
  );
  const entries = answers.flatMap(({ app, result }) =>
    result.kind === 'answer' ? entriesOf(result.body[member]).map((entry): Entry => ({ app, ...entry })) : [],
  );
  const failed = answers.flatMap(({ app, result }) =>
    result.kind === 'answer' ? [] : [{ app, ...explainFailure(result, say) }],
  );
  const table = failed.length === apps.length ? null : tableOrNone(say, columns, entries.map(row), flexible);
  return reportOfApps(say, { json: { [name]: entries }, table, failed });
}

interface OfApps {
  readonly json: Readonly<Record<string, unknown>>;
  /** Null if no app answered. */
  readonly table: Block | null;
  readonly failed: readonly ({ readonly app: AppName } & ReturnType<typeof explainFailure>)[];
  readonly notes?: readonly string[];
}

/** A report of what several apps answered, which names those that did not. */
function reportOfApps(say: Say, { json, table, failed, notes = [] }: OfApps): Report {
  const isPartly = failed.length > 0 && table !== null;
  return {
    json: { ...json, failed: failed.map(({ app, code, message }) => ({ app, code, message })) },
    blocks: table === null ? [] : [table],
    notes: [
      ...failed.map(({ message }) => message),
      ...notes,
      ...(isPartly ? [say('partly', { apps: failed.map(({ app }) => app).join(', ') })] : []),
    ],
    exit: failed[0]?.exit ?? EXIT.done,
  };
}

function newestFirst(lists: ReadonlyArray<Listed & { app: AppName }>, time: string): Entry[] {
  return lists
    .flatMap(({ app, entries }) => entries.map((entry): Entry => ({ app, ...entry })))
    .toSorted((one, other) => compare(String(other[time]), String(one[time])));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
