import type { ReceivedRequest } from './test-server.ts';

/** One request to the platform's API, as received by a test's platform. */
export interface PlatformRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly contractAccountId: string | undefined;
  readonly traceparent: string | undefined;
}

export function platformRequest({ method, path, headers, body }: ReceivedRequest): PlatformRequest {
  return {
    method,
    path,
    body: body.toString(),
    authorization: headers.authorization,
    contractAccountId: String(headers['x-contractaccountid']),
    traceparent: headers['traceparent'] === undefined ? undefined : String(headers['traceparent']),
  };
}
