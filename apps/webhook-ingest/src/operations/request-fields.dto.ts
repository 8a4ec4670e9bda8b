import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { BadRequestException } from '@nestjs/common';

/** Query parameters as they came: each a text, or several where it was given twice. */
export type QueryParams = Readonly<Record<string, unknown>>;

export interface PageOf<Entry> {
  readonly entries: readonly Entry[];
  /** To be given as `before` for the next page; null on the last one. */
  readonly next: string | null;
}

/** Which part of a list is wanted: what is older than `before`, and so many. */
export interface PageRequest {
  readonly before: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';
const ID = /^\d{1,18}$/;

/** One parameter; undefined where it is absent or empty. */
export function textParam(query: QueryParams, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new BadRequestException(`${name} may be given once`);
}

/** A parameter that is one of a closed list. */
export function choiceParam<Choice extends string>(
  query: QueryParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textParam(query, name);
  const choice = choices.find((each) => each === text);
  if (text !== undefined && choice === undefined)
    throw new BadRequestException(`${name} is one of: ${choices.join(', ')}`);
  return choice;
}

/** Refuses what nobody would read: a filter with a slip in its name would show everything. */
export function onlyParams(query: QueryParams, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new BadRequestException(`There is no such parameter; there are: ${known.join(', ')}`);
}

export function pageParams(query: QueryParams): PageRequest {
  const before = textParam(query, 'before') ?? NEWEST;
  if (before !== NEWEST && !ID.test(before))
    throw new BadRequestException('before is the `next` of the page before it');
  const limit = Number(textParam(query, 'limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1)
    throw new BadRequestException(`limit is a whole number from 1 to ${MAX_LIMIT}`);
  return { before, limit: Math.min(limit, MAX_LIMIT) };
}

/** Whether the content is asked for, which may be personal. */
export function wantsBody(query: QueryParams): boolean {
  onlyParams(query, ['body']);
  return choiceParam(query, 'body', ['true', 'false']) === 'true';
}

/** The id in a path; null for what no row can have. */
export function idParam(text: string): string | null {
  return ID.test(text) ? text : null;
}

/** A page of what was found when one entry more than wanted was asked for. */
export function pageOf<Entry extends { readonly id: string }>(found: readonly Entry[], limit: number): PageOf<Entry> {
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** The fields of a JSON body; any other than `known` is refused. */
export function bodyFields<Name extends string>(
  body: unknown,
  known: readonly Name[],
): Partial<Readonly<Record<Name, unknown>>> {
  const fields: unknown = body ?? {};
  if (!isPlainRecord(fields)) throw new BadRequestException(`The body is a JSON object of ${known.join(', ')}`);
  if (Object.keys(fields).some((name) => !known.some((each) => each === name))) {
    throw new BadRequestException(`There is no such field; there are: ${known.join(', ')}`);
  }
  return fields as Partial<Record<Name, unknown>>;
}
