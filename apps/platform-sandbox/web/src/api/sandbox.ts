import { problemOf } from '@gondola/web-kit/api/api-problem';
import { call, jsonBody, reached } from '@gondola/web-kit/api/call';
import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';

const TOKEN = 'gondola.sandbox.token';
const PAGE = 50;

/** The operations token, if the sandbox asked for one. */
export function storeToken(token: string): void {
  localStorage.setItem(TOKEN, token);
}

export function withToken(init: RequestInit = {}): RequestInit {
  const token = localStorage.getItem(TOKEN);
  if (token === null) return init;
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

export async function send<Answer = unknown>(path: string, body: unknown = {}): Promise<Answer> {
  return call<Answer>(path, withToken(jsonBody('POST', body)));
}

export async function remove(path: string): Promise<unknown> {
  return call(path, withToken({ method: 'DELETE' }));
}

export function useRead<Data>(path: string): UseQueryResult<Data> {
  return useQuery({ queryKey: [path], queryFn: ({ signal }) => call<Data>(path, withToken({ signal })) });
}

/** Values of a query string; those that are undefined or empty are left out. */
export type Filters = Readonly<Record<string, string | number | undefined>>;

export interface Listed<Entry> {
  readonly entries: readonly Entry[];
  /** Number of entries that match, whatever is read. */
  readonly total: number;
}

/** A list from its newest entry on; `more` reads further ones. */
export function useList<Entry>(
  path: string,
  filters: Filters = {},
): { readonly query: UseQueryResult<Listed<Entry>>; readonly more: () => void } {
  const [limit, setLimit] = useState(PAGE);
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  const url = `${path}?${new URLSearchParams([...given, ['limit', limit]].map((pair) => pair.map(String))).toString()}`;
  const query = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => readList<Entry>(url, signal),
    placeholderData: keepPreviousData,
  });
  return { query, more: () => setLimit((now) => now + PAGE) };
}

async function readList<Entry>(url: string, signal: AbortSignal): Promise<Listed<Entry>> {
  const response = await reached(fetch(url, withToken({ signal })));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response.status, body);
  const entries = body as readonly Entry[];
  return { entries, total: Number(response.headers.get('x-total') ?? entries.length) };
}

/** Something that a person does: whatever it changed is read again afterwards. */
export function useAction<Given = void, Answer = unknown>(
  run: (given: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> {
  const client = useQueryClient();
  return useMutation({ mutationFn: run, onSettled: () => void client.invalidateQueries() });
}
