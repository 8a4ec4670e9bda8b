import type { EvasiveReads } from './evasive-reads.ts';
import { reply, type ReceivedRequest, type Reply, TestServer } from './test-server.ts';

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

export type Script = (request: PlatformRequest) => Reply | Promise<Reply>;

/**
 * A platform whose behaviour a test writes down, request by request. Not a stand-in for the sandbox: it holds no state
 * and knows no rule.
 */
export class ScriptedPlatform {
  readonly requests: PlatformRequest[] = [];
  /** Answers each request. */
  onRequest: Script = () => ({ status: 500 });
  /** Changes what reads are answered; null for nothing. */
  evasive: EvasiveReads | null = null;
  #server!: TestServer;

  static async start<P extends ScriptedPlatform>(this: new () => P): Promise<P> {
    const platform = new this();
    platform.#server = await TestServer.start(async (received, response) => {
      const request = platformRequest(received);
      platform.requests.push(request);
      const own = await platform.onRequest(request);
      reply(response, platform.evasive?.answer(request, own) ?? own);
    });
    return platform;
  }

  get url(): string {
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

function platformRequest({ method, path, headers, body }: ReceivedRequest): PlatformRequest {
  return {
    method,
    path,
    body: body.toString(),
    authorization: headers.authorization,
    contractAccountId: String(headers['x-contractaccountid']),
    traceparent: headers['traceparent'] === undefined ? undefined : String(headers['traceparent']),
  };
}
