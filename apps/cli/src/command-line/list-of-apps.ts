import { readList } from '../operations-api/read-list.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { type AppOf, appsOf, type GivenOf, type RouteName } from '../operations-api/requests.ts';
import { tableOrNone } from '../output/blocks.ts';
import { explainFailure } from '../output/explain-failure.ts';
import { EXIT } from '../output/report.ts';
import type { ListLook, Refusing, Task } from './command.ts';
import { limitOf, WrongUsage } from './option-values.ts';

interface LookOfApps<R extends RouteName> extends ListLook {
  /** Member of an app's answer that has the entries. */
  readonly member: string;
  /** Name of all entries in the JSON document; absent: that of the member. */
  readonly name?: string;
  /** Time by which the newest come first, in a list of pages. */
  readonly newest?: string;
  /** The apps that are asked; absent: all that have the route. */
  readonly apps?: readonly AppOf<R>[];
}

type GivenOfApps<R extends RouteName> = Omit<GivenOf<R>, 'app' | 'limit'> & {
  readonly app: AppOf<R> | undefined;
  readonly limit?: string | undefined;
};

/**
 * The task of a command that lists the entries of all apps, or of the one that `--app` names. It asks all at once,
 * because each stores its own. If one does not answer, those of the others are still listed.
 */
export function listOfApps<const R extends RouteName>(
  route: R,
  {
    member,
    name = member,
    newest,
    apps: all = appsOf(route),
    columns,
    flexible,
    row = (entry) => entry,
  }: LookOfApps<R>,
) {
  return ({ app: asked, ...given }: GivenOfApps<R>, { apiUrl, say: refusal }: Refusing): Task => {
    const limit = limitOf(given.limit, refusal);
    if (asked === undefined && apiUrl !== undefined) throw new WrongUsage(refusal('apiUrlWithoutApp'));
    const apps = asked === undefined ? all : [asked];
    return async ({ api, say }) => {
      const results = await Promise.all(
        apps.map(async (app) => {
          const ofApp = { ...given, app } as unknown as GivenOf<R>;
          return { app, result: await readList(api, route, ofApp, limit, member) };
        }),
      );
      const listed = results.flatMap(({ app, result }) => (result.kind === 'listed' ? [{ app, ...result }] : []));
      const failed = results.flatMap(({ app, result }) =>
        result.kind === 'listed' ? [] : [{ app, ...explainFailure(result, say) }],
      );
      const found = listed.flatMap(({ app, entries }) => entries.map((entry): Entry => ({ app, ...entry })));
      const entries = newest === undefined ? found : newestFirst(found, newest).slice(0, limit);
      const more = found.length > entries.length || listed.some(({ next }) => next !== null);
      const rows = entries.map((entry) => row(entry, say));
      return {
        json: {
          [name]: entries,
          ...(newest !== undefined && { more }),
          failed: failed.map(({ app, code, message }) => ({ app, code, message })),
        },
        blocks: listed.length === 0 ? [] : [tableOrNone(say, columns, rows, flexible)],
        notes: [
          ...failed.map(({ message }) => message),
          ...(more ? [say({ pt: 'Há mais: use --limit.', en: 'There is more: use --limit.' })] : []),
          ...(failed.length > 0 && listed.length > 0
            ? [say('partly', { apps: failed.map(({ app }) => app).join(', ') })]
            : []),
        ],
        exit: failed[0]?.exit ?? EXIT.done,
      };
    };
  };
}

function newestFirst(entries: readonly Entry[], time: string): readonly Entry[] {
  return entries.toSorted((one, other) => compare(String(other[time]), String(one[time])));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
