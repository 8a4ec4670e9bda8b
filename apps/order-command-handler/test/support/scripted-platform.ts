import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request that the platform got. */
export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly contractAccountId: string | undefined;
  readonly traceparent: string | undefined;
}

/** How one request is answered; `hang` never answers, `drop` ends the connection. */
export type Answer =
  | { readonly status: number; readonly json?: unknown; readonly headers?: Record<string, string> }
  | 'hang'
  | 'drop';

export type Script = (request: PlatformRequest) => Answer | Promise<Answer>;

/**
 * The order routes of a platform whose behaviour a test writes down, request by request. Not a stand-in for the sandbox: it holds no state
 * and knows no rule.
 */
export class ScriptedPlatform {
  readonly requests: PlatformRequest[] = [];
  /** Answers `PATCH …/status`. */
  onPatch: Script = () => ({ status: 200, json: { operationId: null } });
  /** Answers `GET …/status`. */
  onRead: Script = () => ({ status: 404 });
  /** Answers `GET …/webhook-payload`. */
  onPayload: Script = () => ({ status: 404 });
  /** Answers `PUT /v1/Orders/{number}`. */
  onPicking: Script = () => ({ status: 200, json: { operationId: null } });
  /** Answers `PUT /v1/Orders/invoiced/{number}`. */
  onRegister: Script = () => ({ status: 200, json: { transactionId: null } });
  /** Answers `POST …/cancel`. */
  onCancel: Script = () => ({ status: 200, json: { operationId: null } });
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedPlatform> {
    // A connection that it closed after five idle seconds would cost a call that is made in that moment.
    const server = createServer({ keepAliveTimeout: 600_000 });
    const platform = new ScriptedPlatform(server);
    server.on('request', (request, response) => void platform.#answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const request: PlatformRequest = {
      method,
      path,
      body: await text(incoming),
      authorization: headers.authorization,
      contractAccountId: String(headers['x-contractaccountid']),
      traceparent: headers['traceparent'] === undefined ? undefined : String(headers['traceparent']),
    };
    this.requests.push(request);
    const answer = await this.#scriptOf(kindOf(request))(request);
    if (answer === 'hang') return;
    if (answer === 'drop') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.json === undefined ? undefined : JSON.stringify(answer.json));
  }

  #scriptOf(kind: CallKind): Script {
    const scripts: Record<CallKind, Script> = {
      status: this.onPatch,
      read: this.onRead,
      payload: this.onPayload,
      picking: this.onPicking,
      register: this.onRegister,
      cancel: this.onCancel,
    };
    return scripts[kind];
  }
}

export type CallKind = 'status' | 'read' | 'payload' | 'picking' | 'register' | 'cancel';

function kindOf({ method, path }: Pick<PlatformRequest, 'method' | 'path'>): CallKind {
  if (method === 'PATCH') return 'status';
  if (method === 'POST') return 'cancel';
  if (method === 'PUT') return path.includes('/invoiced/') ? 'register' : 'picking';
  return path.includes('/webhook-payload') ? 'payload' : 'read';
}
