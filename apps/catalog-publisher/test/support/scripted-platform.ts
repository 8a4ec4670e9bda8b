import { type PlatformRequest, platformRequest } from '@gondola/local-stack/testing/platform-request';
import { reply, type Reply, TestServer } from '@gondola/local-stack/testing/test-server';

export type Script = (request: PlatformRequest) => Reply | Promise<Reply>;

/**
 * The catalog routes of a platform whose behaviour a test writes down, request by request. Not a stand-in for the
 * sandbox: it holds no state and knows no rule.
 */
export class ScriptedPlatform {
  readonly requests: PlatformRequest[] = [];
  /** Answers each request; a test replaces it. */
  onRequest: Script = () => ({ status: 500 });
  #server!: TestServer;

  static async start(): Promise<ScriptedPlatform> {
    const platform = new ScriptedPlatform();
    platform.#server = await TestServer.start(async (received, response) => {
      const request = platformRequest(received);
      platform.requests.push(request);
      reply(response, await platform.onRequest(request));
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
