import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { BadRequestException } from '@nestjs/common';
import type { OrderFilter } from './order-search.repository.ts';

/** Query parameters as they came: each a text, or several where it was given twice. */
export type QueryParams = Readonly<Record<string, unknown>>;

/** Which part of a list is wanted. */
export interface PageRequest {
  readonly before: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';
const ID = /^\d{1,18}$/;
const MAX_AGE_MS = 10 * 365 * 86_400_000;
const LIST_PARAMS = ['tenant', 'status', 'olderThanMs', 'before', 'limit'] as const;

/** `GET /api/orders`. */
export function listQuery(query: QueryParams, tenants: readonly string[]): { filter: OrderFilter; page: PageRequest } {
  onlyParams(query, LIST_PARAMS);
  const tenant = textParam(query, 'tenant');
  if (tenant !== undefined && !tenants.includes(tenant)) throw new BadRequestException(tenantSentence(tenants));
  const before = textParam(query, 'before') ?? NEWEST;
  if (before !== NEWEST && !ID.test(before)) {
    throw new BadRequestException('before is the `next` of the page before it');
  }
  const limit = Math.min(wholeParam(query, 'limit', 1, Number.MAX_SAFE_INTEGER) ?? DEFAULT_LIMIT, MAX_LIMIT);
  const status = wholeParam(query, 'status', 0, 999_999_999);
  const olderThanMs = wholeParam(query, 'olderThanMs', 0, MAX_AGE_MS);
  return { filter: { tenant, status, olderThanMs }, page: { before, limit } };
}

/** The tenant of a request: the one that it names, or the only one. */
export function tenantOfRequest(named: unknown, tenants: readonly string[]): string {
  const [only, ...others] = tenants;
  const tenant = named ?? (others.length === 0 ? only : undefined);
  if (tenant === undefined) throw new BadRequestException('There are several tenants: name one as tenant');
  const known = tenants.find((id) => id === tenant);
  if (known === undefined) throw new BadRequestException(tenantSentence(tenants));
  return known;
}

/** Whether a switch is on. */
export function switchParam(query: QueryParams, name: string): boolean {
  const text = textParam(query, name);
  if (text !== undefined && text !== 'true' && text !== 'false') {
    throw new BadRequestException(`${name} is true or false`);
  }
  return text === 'true';
}

/** Refuses what nobody would read: a filter with a slip in its name would show everything. */
export function onlyParams(query: QueryParams, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new BadRequestException(`There is no such parameter; there are: ${known.join(', ')}`);
  }
}

/** The fields of a JSON body; any other than `known` is refused. */
export function bodyFields<Name extends string>(
  body: unknown,
  known: readonly Name[],
): Partial<Readonly<Record<Name, unknown>>> {
  const fields: unknown = body ?? {};
  if (!isPlainRecord(fields)) throw new BadRequestException(`The body is a JSON object of ${known.join(', ')}`);
  onlyParams(fields, known);
  return fields as Partial<Record<Name, unknown>>;
}

/** One parameter; undefined where it is absent or empty. */
export function textParam(query: QueryParams, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new BadRequestException(`${name} may be given once`);
}

function wholeParam(query: QueryParams, name: string, least: number, most: number): number | undefined {
  const text = textParam(query, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new BadRequestException(`${name} is a whole number from ${least} to ${most}`);
  }
  return value;
}

function tenantSentence(tenants: readonly string[]): string {
  return `tenant is one of the tenants file: ${tenants.join(', ')}`;
}
