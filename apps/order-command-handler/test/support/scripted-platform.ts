import { type PlatformRequest, platformRequest } from '@gondola/local-stack/testing/platform-request';
import { reply, type Reply, TestServer } from '@gondola/local-stack/testing/test-server';

export type Script = (request: PlatformRequest) => Reply | Promise<Reply>;

const accepted: Script = () => ({ status: 200, json: { operationId: null } });
const unknown: Script = () => ({ status: 404 });

/**
 * The order routes of a platform whose behaviour a test writes down, request by request. Not a stand-in for the
 * sandbox: it holds no state and knows no rule.
 */
export class ScriptedPlatform {
  readonly requests: PlatformRequest[] = [];
  /** Answers `PATCH …/status`. */
  onPatch!: Script;
  /** Answers `GET …/status`. */
  onRead!: Script;
  /** Answers `GET …/webhook-payload`. */
  onPayload!: Script;
  /** Answers `PUT /v1/Orders/{number}`. */
  onPicking!: Script;
  /** Answers `PUT /v1/Orders/invoiced/{number}`. */
  onRegister!: Script;
  /** Answers `POST …/cancel`. */
  onCancel!: Script;
  /** Answers `GET …/details` of the core service. */
  onDetails!: Script;
  #server!: TestServer;

  constructor() {
    this.answerAsAtFirst();
  }

  /** Accepts what changes something, and knows no order. */
  answerAsAtFirst(): void {
    this.onPatch = accepted;
    this.onRead = unknown;
    this.onPayload = unknown;
    this.onPicking = accepted;
    this.onRegister = () => ({ status: 200, json: { transactionId: null } });
    this.onCancel = accepted;
    this.onDetails = unknown;
  }

  static async start(): Promise<ScriptedPlatform> {
    const platform = new ScriptedPlatform();
    platform.#server = await TestServer.start(async (received, response) => {
      const request = platformRequest(received);
      platform.requests.push(request);
      reply(response, await platform.#scriptOf(kindOf(request))(request));
    });
    return platform;
  }

  get url(): string {
    return this.#server.url;
  }

  /** The requests of an order, `PATCH` or `GET`. */
  requestsOf(orderNumber: number, method: string): PlatformRequest[] {
    return this.requests.filter((each) => each.method === method && each.path === `/v1/Orders/${orderNumber}/status`);
  }

  /** The requests of an order by what they are. */
  callsOf(orderNumber: number, kind: CallKind): PlatformRequest[] {
    return this.requests.filter(
      (each) => kindOf(each) === kind && new RegExp(`/${orderNumber}(/|$)`).test(each.path.split('?')[0] ?? ''),
    );
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  #scriptOf(kind: CallKind): Script {
    const scripts: Record<CallKind, Script> = {
      status: this.onPatch,
      read: this.onRead,
      payload: this.onPayload,
      picking: this.onPicking,
      register: this.onRegister,
      cancel: this.onCancel,
      details: this.onDetails,
    };
    return scripts[kind];
  }
}

export type CallKind = 'status' | 'read' | 'payload' | 'picking' | 'register' | 'cancel' | 'details';

function kindOf({ method, path }: Pick<PlatformRequest, 'method' | 'path'>): CallKind {
  if (method === 'PATCH') return 'status';
  if (method === 'POST') return 'cancel';
  if (method === 'PUT') return path.includes('/invoiced/') ? 'register' : 'picking';
  if (path.endsWith('/details')) return 'details';
  return path.includes('/webhook-payload') ? 'payload' : 'read';
}
