import type { Environment } from './secrets.adapter.ts';
import { readList } from '../operations-api/read-list.ts';
import type { Entry, OperationsApi } from '../operations-api/operations-api.ts';
import { type GivenOf, hasPages, requestTo, type RouteName, wordsOf } from '../operations-api/requests.ts';
import type { Uploads } from '../operations-api/uploads.ts';
import { cell, type Columns, fieldsOf, tableOrNone } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import type { Progress } from '../output/live-progress.ts';
import { done, type Report, shown } from '../output/report.ts';
import { filled, type PlainText, type SameNames, type Say, type Words } from '../texts/texts.ts';
import type { Given, Inputs } from './inputs.ts';
import { limitOf } from './option-values.ts';

/** Services that a running command uses. */
export interface Session {
  readonly api: OperationsApi;
  readonly uploads: Uploads;
  readonly say: Say;
  /** Settings of a command that calls no app. */
  readonly env: Environment;
  /** Shows the progress of a long command. */
  readonly progress: (progress: Progress) => void;
}

/** Work of one command line, with its options already checked. It makes no call before it runs. */
export type Task = (session: Session) => Promise<Report>;

/** Circumstances in which a command refuses its command line. */
export interface Refusing {
  readonly say: Say;
  /** `--api-url`, the address of one app. */
  readonly apiUrl: string | undefined;
}

/** All there is to say of a command beside its name. */
export interface Command<I extends Inputs = Inputs> {
  /** Sentence of the help; absent: that of the route, at the app's controller. */
  readonly about?: Words;
  /** Arguments and options by the name of their value, in the order of the help. */
  readonly inputs: I;
  /** Runs if the group's name is followed by options alone. */
  readonly isDefault?: boolean;
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
  readonly commands: ReadonlyArray<readonly [name: string, about: Words, command: Command]>;
}

type Camel<N> = N extends `${infer First}-${infer Rest}` | `${infer First} ${infer Rest}`
  ? `${First}${Capitalize<Rest>}`
  : N;

/**
 * Commands by name. The text of `dead-letters` is `deadLetters`; `console sessions` is the group `sessions` in
 * `console`.
 */
export function group<N extends string>(
  name: Camel<N> extends PlainText ? N : never,
  commands: Readonly<Record<string, Command>>,
): Group {
  const about = name.replaceAll(/[- ]./g, ([, letter = '']) => letter.toUpperCase()) as PlainText;
  const all = Object.entries(commands);
  return { name, about, commands: all.map(([each, of]) => [each, aboutOf(`${name} ${each}`, of), of]) };
}

function aboutOf(name: string, { about = wordsOf(name) }: Command): Words {
  if (about === undefined) throw new Error(`Neither gondola ${name} nor a route of it says what it does`);
  return about;
}

/** The task of a command that is one call, and shows its answer. */
export function call<const R extends RouteName>(
  route: R,
  report: (answer: Entry, given: GivenOf<R>, say: Say) => Report = (answer) => shown(answer, [fieldsOf(answer)]),
) {
  return (given: GivenOf<R>): Task =>
    async ({ api, say }) => {
      const result = await api.call(requestTo(route, given));
      return result.kind === 'answer' ? report(result.body, given, say) : failureReport(result, say);
    };
}

interface Act<R extends RouteName> {
  /** Values of names in the sentence that are no field of the answer, and were not given. */
  readonly names?: (answer: Entry) => Entry;
  /** Converts the answer for the JSON document. */
  readonly document?: (answer: Entry, given: GivenOf<R>) => Entry;
}

/**
 * The task of a command that is one call, and says in a sentence that it is done. Names in the sentence are fields of
 * the answer, or what was given.
 */
export function act<const R extends RouteName, const W extends Words>(
  route: R,
  sentence: SameNames<W>,
  { names = () => ({}), document = (answer) => answer }: Act<R> = {},
) {
  return call(route, (answer, given, say) => {
    const values: Entry = { ...given, ...answer, ...names(answer) };
    return done(
      document(answer, given),
      filled(say<Words>(sentence), (name) => cell(values[name])),
    );
  });
}

export interface ListLook {
  readonly columns: Columns;
  /** Column that is cut if the terminal is too narrow. */
  readonly flexible: string;
  /** Converts an entry for its row; the JSON document shows it unchanged. */
  readonly row?: (entry: Entry, say: Say) => Entry;
}

interface Limited {
  readonly limit?: string | undefined;
}

/** The task of a command that lists the entries of one app. A note tells how to continue if the list is longer. */
export function list<const R extends RouteName>(route: R, { columns, flexible, row = (entry) => entry }: ListLook) {
  return (given: GivenOf<R> & Limited, refusing: Refusing): Task => {
    const limit = limitOf(given.limit, refusing.say);
    return async ({ api, say }) => {
      const listed = await readList(api, route, given, limit);
      if (listed.kind !== 'listed') return failureReport(listed, say);
      const { entries, next } = listed;
      const rows = entries.map((entry) => row(entry, say));
      const notes = next === null ? [] : [say('more', { next })];
      const json = hasPages(route) ? { entries, next } : { entries };
      return shown(json, [tableOrNone(say, columns, rows, flexible)], notes);
    };
  };
}
