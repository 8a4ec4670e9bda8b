import { randomUUID } from 'node:crypto';
import { type PlatformRequest, type Script, ScriptedPlatform } from '@gondola/local-stack/testing/scripted-platform';

export type CallKind = 'status' | 'read' | 'payload' | 'picking' | 'register' | 'cancel' | 'details';

/** The document shows no answer of PATCH status and PUT order. */
const accepted: Script = () => ({ status: 200, json: { operationId: null } });
const unknown: Script = () => ({ status: 404 });
/** Accepts what changes something, and knows no order. */
const AT_FIRST: Readonly<Record<CallKind, Script>> = {
  status: accepted,
  read: unknown,
  payload: unknown,
  picking: accepted,
  register: () => ({ status: 200, json: { transactionId: randomUUID() } }),
  cancel: () => ({ status: 200, json: { operationId: randomUUID() } }),
  details: unknown,
};

/** The order routes of a platform. */
export class OrderPlatform extends ScriptedPlatform {
  /** Answer of each route; `read` is that of the status, `details` that of the core service. */
  on: Record<CallKind, Script> = { ...AT_FIRST };
  override onRequest: Script = async (request) => {
    const kind = kindOf(request);
    const answer = await this.on[kind](request);
    return kind === 'payload' ? ofItsOrder(request, answer) : answer;
  };

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

/** Names the order in a payload to which a test gave only the fields that matter to it. */
function ofItsOrder({ path }: PlatformRequest, answer: Awaited<ReturnType<Script>>): typeof answer {
  if (typeof answer === 'string') return answer;
  const { json } = answer;
  if (typeof json !== 'object' || json === null || Array.isArray(json) || 'number' in json) return answer;
  return { ...answer, json: { number: Number(/\/Orders\/(\d+)\//.exec(path)?.[1]), ...json } };
}

function kindOf({ method, path }: Pick<PlatformRequest, 'method' | 'path'>): CallKind {
  if (method === 'PATCH') return 'status';
  if (method === 'POST') return 'cancel';
  if (method === 'PUT') return path.includes('/invoiced/') ? 'register' : 'picking';
  if (path.endsWith('/details')) return 'details';
  return path.includes('/webhook-payload') ? 'payload' : 'read';
}
