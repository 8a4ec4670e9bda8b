import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { call, jsonBody } from '@gondola/web-kit/api/call';
import { queryOptions } from '@tanstack/react-query';

export type SignInMethod = 'link' | 'password' | 'oidc';

export interface Session {
  readonly operator: { readonly name: string };
  readonly tenants: ReadonlyArray<{ readonly id: string; readonly act: boolean }>;
}

/** Whether somebody is signed in, and if not, how to sign in. */
type SessionState =
  | ({ readonly kind: 'signed-in' } & Session)
  | { readonly kind: 'signed-out'; readonly methods: readonly SignInMethod[] };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
  refetchInterval: 60_000,
});

async function readSession(): Promise<SessionState> {
  try {
    return { kind: 'signed-in', ...(await call<Session>('/session')) };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    const { body } = error as ApiProblem & { readonly body?: { readonly methods?: readonly SignInMethod[] } | null };
    return { kind: 'signed-out', methods: body?.methods ?? [] };
  }
}

export async function signInByLink(secret: string): Promise<Session> {
  return call('/session/link', jsonBody('POST', { secret }));
}

export async function signInByPassword(name: string, password: string): Promise<Session> {
  return call('/session/password', jsonBody('POST', { name, password }));
}

export async function signOut(): Promise<unknown> {
  return call('/session', jsonBody('DELETE'));
}
