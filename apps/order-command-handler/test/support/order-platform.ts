import { type PlatformRequest, type Script, ScriptedPlatform } from '@gondola/local-stack/testing/scripted-platform';

export type CallKind = 'status' | 'read' | 'payload' | 'picking' | 'register' | 'cancel' | 'details';

const accepted: Script = () => ({ status: 200, json: { operationId: null } });
const unknown: Script = () => ({ status: 404 });
/** Accepts what changes something, and knows no order. */
const AT_FIRST: Readonly<Record<CallKind, Script>> = {
  status: accepted,
  read: unknown,
  payload: unknown,
  picking: accepted,
  register: () => ({ status: 200, json: { transactionId: null } }),
  cancel: accepted,
  details: unknown,
};

/** The order routes of a platform. */
export class OrderPlatform extends ScriptedPlatform {
  /** Answer of each route; `read` is that of the status, `details` that of the core service. */
  on: Record<CallKind, Script> = { ...AT_FIRST };
  override onRequest: Script = (request) => this.on[kindOf(request)](request);

  answerAsAtFirst(): void {
    this.on = { ...AT_FIRST };
  }

  /** The requests of an order's status, `PATCH` or `GET`. */
  requestsOf(orderNumber: number, method: string): PlatformRequest[] {
    return this.requests.filter((each) => each.method === method && each.path === `/v1/Orders/${orderNumber}/status`);
  }

  /** The requests of an order by what they are. */
  callsOf(orderNumber: number, kind: CallKind): PlatformRequest[] {
    const isItsPath = new RegExp(`/${orderNumber}(/|$)`);
    return this.requests.filter((each) => kindOf(each) === kind && isItsPath.test(each.path.split('?')[0] ?? ''));
  }
}

function kindOf({ method, path }: Pick<PlatformRequest, 'method' | 'path'>): CallKind {
  if (method === 'PATCH') return 'status';
  if (method === 'POST') return 'cancel';
  if (method === 'PUT') return path.includes('/invoiced/') ? 'register' : 'picking';
  if (path.endsWith('/details')) return 'details';
  return path.includes('/webhook-payload') ? 'payload' : 'read';
}
