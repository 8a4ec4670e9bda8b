import type { AppName } from '../operations-api/addresses.ts';
import { listPages } from '../operations-api/list-pages.ts';
import type { ApiRequest, Entry, OperationsApi } from '../operations-api/operations-api.ts';
import type { Uploads } from '../operations-api/uploads.ts';
import { type Columns, tableOrNone } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import type { Progress } from '../output/live-progress.ts';
import { type Report, shown } from '../output/report.ts';
import type { Hole, PlainText, Say } from '../texts/texts.ts';
import type { Given, Inputs } from './inputs.ts';
import { limitOf } from './option-values.ts';

/** Services that a running command uses. */
export interface Session {
  readonly api: OperationsApi;
  readonly uploads: Uploads;
  readonly say: Say;
  /** Shows the progress of a long command. */
  readonly progress: (progress: Progress) => void;
}

/** Work of one command line, with its options already checked. It makes no call before it runs. */
export type Task = (session: Session) => Promise<Report>;

/** Circumstances in which a command refuses its command line. */
interface Refusing {
  readonly say: Say;
  /** `--api-url`, the address of one app. */
  readonly apiUrl: string | undefined;
}

/** All there is to say of a command beside its name and, in `texts/`, its description. */
export interface Command<I extends Inputs = Inputs> {
  /** Arguments and options by the name of their value, in the order of the help. */
  readonly inputs: I;
  /** Throws `WrongUsage` where inputs do not fit together. */
  readonly task: (given: Given<I>, refusing: Refusing) => Task;
  /** Arguments after the command's name; the same in every language. */
  readonly examples: readonly [string, ...string[]];
}

export function command<I extends Inputs>(defined: Command<I>): Command {
  return defined as unknown as Command;
}

export interface Group {
  readonly name: string;
  readonly about: PlainText;
  readonly commands: ReadonlyArray<readonly [name: string, about: PlainText, command: Command]>;
}

type Camel<N> = N extends `${infer First}-${infer Rest}` | `${infer First} ${infer Rest}`
  ? `${First}${Capitalize<Rest>}`
  : N;
type TextOf<N, K> = `${Camel<N> & string}${Capitalize<K & string>}`;

/**
 * Commands by name. `dead-letters` and its `list` have the texts `deadLetters` and `deadLettersList`; `console
 * sessions` is the group `sessions` in `console`.
 */
export function group<N extends string, C extends Readonly<Record<string, Command>>>(
  name: Camel<N> extends PlainText ? N : never,
  commands: { readonly [K in keyof C]: TextOf<N, K> extends PlainText ? C[K] : never },
): Group {
  const about = name.replaceAll(/[- ]./g, ([, letter = '']) => letter.toUpperCase());
  const textOf = (command: string): string => `${about}${command[0]?.toUpperCase()}${command.slice(1)}`;
  return {
    name,
    about: about as PlainText,
    commands: Object.entries<Command>(commands).map(([each, defined]) => [each, textOf(each) as PlainText, defined]),
  };
}

/** A path whose holes, such as `{id}`, are inputs of the command. */
type PathOf<P extends string, G> = P & ([Hole<P>] extends [keyof G] ? unknown : never);

/** The task of a command that is one call. */
export function call<G extends object, const P extends string = string>(
  app: AppName,
  method: ApiRequest['method'],
  route: PathOf<P, G>,
  report: (answer: Entry, given: G, say: Say) => Report,
) {
  return (given: G): Task =>
    (session) => {
      const { path, rest } = sentIn(route, given);
      const request = { app, method, path, ...(method === 'GET' ? { query: texts(rest) } : { body: rest }) };
      return ask(session, request, (answer) => report(answer, given, session.say));
    };
}

interface ListLook {
  readonly columns: Columns;
  /** Column that is cut if the terminal is too narrow. */
  readonly flexible: string;
  /** Converts an entry for its row; the JSON document shows it unchanged. */
  readonly row?: (entry: Entry) => Entry;
}

/** The task of a command that lists the entries of one app. A note tells how to continue if the list is longer. */
export function list<G extends { readonly limit: string | undefined }, const P extends string = string>(
  app: AppName,
  route: PathOf<P, G>,
  { columns, flexible, row = (entry) => entry }: ListLook,
) {
  return ({ limit: text, ...given }: G, refusing: Refusing): Task => {
    const limit = limitOf(text, refusing.say);
    return async ({ api, say }) => {
      const { path, rest } = sentIn(route, given);
      const listed = await listPages(api, { app, path, query: texts(rest), member: 'entries', limit });
      if (listed.kind !== 'listed') return failureReport(listed, say);
      const { entries, next } = listed;
      const table = tableOrNone(say, columns, entries.map(row), flexible);
      return shown({ entries, next }, [table], next === null ? [] : [say('more', { next })]);
    };
  };
}

/** Calls an app once and shows its answer or explains its failure. */
export async function ask(
  { api, say }: Session,
  request: ApiRequest,
  report: (body: Entry) => Report,
): Promise<Report> {
  const result = await api.call(request);
  return result.kind === 'answer' ? report(result.body) : failureReport(result, say);
}

/** Inputs fill the holes of the path; the rest is the query of a GET, and the body of a POST. */
function sentIn(path: string, given: object): { readonly path: string; readonly rest: Entry } {
  const rest = new Map(Object.entries(given).filter(([, value]) => value !== undefined && value !== false));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_hole, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  return { path: filled, rest: Object.fromEntries(rest) };
}

function texts(query: Entry): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
