import { ApiProblem, problemOf } from './api-problem.ts';

/** A call of the server's own routes; throws an `ApiProblem` for every other end than a 2xx. */
export async function call<Data>(path: string, init: RequestInit = {}): Promise<Data> {
  const response = await reached(fetch(path, init));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw Object.assign(problemOf(response.status, body), { body });
  return body as Data;
}

/** Options of a request that changes something. */
export function jsonBody(method: 'POST' | 'DELETE', body: unknown = {}): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** The answer of the server, whatever it is; throws an `ApiProblem` if none comes. */
export async function reached<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, 'SERVER_AWAY', '');
  }
}
