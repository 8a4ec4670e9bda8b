import { asOperator } from '@gondola/local-stack/testing/as-operator';

/** An answer of the operations API. */
export interface ApiAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Calls the operations API of a replica. */
export async function callApi<Body = unknown>(
  { url }: { readonly url: string },
  path: string,
  { method = 'GET', body }: { readonly method?: 'GET' | 'POST'; readonly body?: unknown } = {},
): Promise<ApiAnswer<Body>> {
  const response = await asOperator(`${url}${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** The value of a metric without labels. */
export async function readMetric({ url }: { readonly url: string }, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}
