import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../logging/safe-error.ts';

/** One problem of the configuration: its place and the expected form, never the value itself. */
export interface ConfigProblem {
  /** Name of a variable, or path in the tenants file. */
  readonly where: string;
  readonly problem: string;
}

/** All problems of the configuration at once. The message is for operators and is printed without a stack trace. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly ConfigProblem[];
  constructor(problems: readonly ConfigProblem[], title = 'Configuração inválida / Invalid configuration') {
    super([`${title}:`, ...problems.map(({ where, problem }) => `  - ${where}: ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Variables that belong together, and the object that the app reads. Created by `configGroup`. */
export interface ConfigGroup<T> {
  readonly variables: readonly string[];
  readonly schema: z.ZodType<T>;
  /** Checks between variables; their problems are reported together with those of each variable. */
  readonly check: (values: Environment) => ConfigProblem[];
}

type ConfigOf<G> = { readonly [K in keyof G]: G[K] extends ConfigGroup<infer T> ? T : never };
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A group of variables: a zod schema for each, and the object that the app reads. A schema receives the variable's
 * text, or undefined if it is unset or empty; its message describes the expected form.
 */
export function configGroup<S extends z.ZodRawShape, T>(
  shape: S,
  build: (values: z.output<z.ZodObject<S>>) => T,
  check: (values: Environment) => ConfigProblem[] = () => [],
): ConfigGroup<T> {
  const schema = z.object(shape).transform((values) => build(values as z.output<z.ZodObject<S>>));
  return { variables: Object.keys(shape), schema, check };
}

/**
 * Reads every group from the environment: `readConfig({ http: httpShape(8081), log: logShape }, process.env)`
 * returns `{ http, log }`, deeply frozen. `NAME_FILE` reads any variable from a file, without a final line break.
 * Throws one `ConfigError` with all problems, without values.
 */
export function readConfig<G extends Record<string, ConfigGroup<unknown>>>(groups: G, env: Environment): ConfigOf<G> {
  const problems: ConfigProblem[] = [];
  const read: Record<string, unknown> = {};
  for (const [name, group] of Object.entries(groups)) {
    const { values, unreadable } = variablesOf(group.variables, env);
    problems.push(...unreadable, ...group.check(values));
    const result = group.schema.safeParse(values);
    if (result.success) read[name] = result.data;
    else problems.push(...problemsOf(result.error, unreadable));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(read) as ConfigOf<G>;
}

/** The result, or undefined after the problems of a `ConfigError` were added to `problems`. */
export function collectProblems<T>(problems: ConfigProblem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** Freezes plain objects and arrays recursively. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(deepFreeze);
  }
  return value;
}

function variablesOf(names: readonly string[], env: Environment): { values: Environment; unreadable: ConfigProblem[] } {
  const values: Record<string, string | undefined> = {};
  const unreadable: ConfigProblem[] = [];
  for (const name of names) {
    const text = env[name];
    const file = env[`${name}_FILE`];
    if (file === undefined || file === '') {
      values[name] = text === '' ? undefined : text;
    } else if (text !== undefined && text !== '') {
      unreadable.push({ where: name, problem: `use só um / use only one: ${name}, ${name}_FILE` });
    } else {
      const content = readSecretFile(file);
      if (content.ok) values[name] = content.text;
      else unreadable.push({ where: `${name}_FILE`, problem: content.problem });
    }
  }
  return { values, unreadable };
}

/** Text of a file with a single value, without a final line break. */
export function readSecretFile(path: string): { ok: true; text: string } | { ok: false; problem: string } {
  try {
    const text = withoutLineEnd(readFileSync(path, 'utf8'));
    if (text !== '') return { ok: true, text };
    return { ok: false, problem: 'o arquivo está vazio / the file is empty' };
  } catch (error) {
    return {
      ok: false,
      problem: `não é possível ler o arquivo / the file cannot be read (${codeOf(error) ?? 'error'})`,
    };
  }
}

/** Removes the line break that editors and `echo` add at the end of a text; it does not belong to a secret. */
export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function problemsOf(error: z.ZodError, unreadable: readonly ConfigProblem[]): ConfigProblem[] {
  const reported = new Set(unreadable.map(({ where }) => where.replace(/_FILE$/, '')));
  return error.issues
    .map((issue) => ({ where: issue.path.join('.'), problem: issue.message }))
    .filter(({ where }) => !reported.has(where));
}

interface SettingFault {
  /** The variable that an operator has to check, such as `DATABASE_URL`. */
  readonly variable: string;
  /** The problem and the expected form in one line, Portuguese first. Must not contain a secret. */
  readonly problem: string;
  /** Code of the failure if `cause` has none of its own, such as `DATABASE_UNUSABLE`. */
  readonly code: string;
  readonly cause: unknown;
}

/**
 * The target of a variable cannot be used: a server that is away or refuses, a port that is taken. The message is
 * one sentence for an operator and names the variable. `cause` alone decides whether waiting helps.
 */
export class SettingError extends Error {
  readonly code: string;
  readonly variable: string;
  constructor({ variable, problem, code, cause }: SettingFault) {
    super(`${variable}: ${problem} (${code})`, { cause });
    this.name = 'SettingError';
    this.code = code;
    this.variable = variable;
  }
}
