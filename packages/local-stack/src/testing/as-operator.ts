/** `OPERATIONS_TOKEN` of the apps in tests. */
export const TEST_OPERATIONS_TOKEN = 'operations-token-of-the-tests';

/** `fetch` with that token. */
export function asOperator(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${TEST_OPERATIONS_TOKEN}`);
  return fetch(url, { ...init, headers });
}

/** A call of an operations API. */
export interface ApiCall {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of an operations API. */
export interface ApiAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Calls the operations API of an app. */
export async function callApi<Body = unknown>(
  { url }: { readonly url: string },
  path: string,
  { method = 'GET', body, headers = {} }: ApiCall = {},
): Promise<ApiAnswer<Body>> {
  const response = await asOperator(`${url}${path}`, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
