/** `OPERATIONS_TOKEN` of the apps in tests. */
export const TEST_OPERATIONS_TOKEN = 'operations-token-of-the-tests';

/** `fetch` with that token. */
export function asOperator(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${TEST_OPERATIONS_TOKEN}`);
  return fetch(url, { ...init, headers });
}
