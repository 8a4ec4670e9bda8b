import { createHash, randomUUID } from 'node:crypto';
import { stringifyWithDigits, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import type { AskedBy, CallContext } from './answers.ts';
import type { Exchange } from './exchange.ts';
import { contentOf, type FormPart, type MultipartBody } from './multipart.ts';
import { type BatchRoute, type Route, type RouteName, ROUTES } from './routes.ts';

/** Routes that change something at the platform: all that are no GET. */
export type ChangingRoute = {
  [R in RouteName]: (typeof ROUTES)[R] extends { readonly method: 'GET' } ? never : R;
}[RouteName];

/** A change that a tenant in shadow left out; of a batch one for each of its records. */
export interface LeftOutChange extends Omit<AskedBy, 'cameAt'> {
  readonly tenant: string;
  readonly route: ChangingRoute;
  /** JSON text; of a form its parts, in which each file is a size and a hash. Null for none. */
  readonly body: string | null;
}

/** The way of changes of a tenant that is in shadow, or was. */
export interface ShadowDoor {
  /** True if a change is left out that was asked for at a time (ms since 1970); null: by no command, so now. */
  readonly leavesOut: (cameAt: number | null) => boolean;
  /** Takes what would have been sent; a call that it throws for counts as lost. */
  readonly store: (changes: readonly LeftOutChange[]) => Promise<void>;
}

export interface LeftOutCall {
  readonly tenant: string;
  readonly route: ChangingRoute;
  /** The reference in the path; empty for none. */
  readonly entity: string;
  readonly body: string | MultipartBody | undefined;
  readonly askedBy: CallContext['askedBy'];
}

/** The changes of a call. @throws PlatformClientError `CONTENT_NOT_READABLE` */
export async function leftOutChanges({ tenant, route, entity, body, askedBy }: LeftOutCall): Promise<LeftOutChange[]> {
  // A reason of a cancellation is free text, which may be personal.
  const sent = route === 'cancelOrder' ? undefined : body;
  const text = typeof sent === 'object' ? await formText(sent) : (sent ?? null);
  const bodies = text !== null && takesRecords(route) ? recordTexts(text) : [text];
  return bodies.map((each, index) => ({
    tenant,
    route,
    entity: askedBy?.[index]?.entity ?? entity,
    commandId: askedBy?.[index]?.commandId ?? '',
    body: each,
  }));
}

/** @throws Error if only a part of a batch is left out: such records do not share a call */
export function isLeftOut({ leavesOut }: ShadowDoor, askedBy: CallContext['askedBy'] = []): boolean {
  const verdicts = new Set(askedBy.length === 0 ? [leavesOut(null)] : askedBy.map(({ cameAt }) => leavesOut(cameAt)));
  if (verdicts.size > 1) throw new Error('Records of before and after the point of a shadow share a call');
  return verdicts.has(true);
}

export function changes(route: RouteName): route is ChangingRoute {
  return ROUTES[route].method !== 'GET';
}

/** Answer of the platform to a change that it took, in the form of the route. */
export function takenAnswer({ answer: form }: Route): Exchange {
  const id = randomUUID();
  const text = form === 'not-shown' ? '' : JSON.stringify({ id, operationId: id, transactionId: id });
  const body = { kind: 'text', text } as const;
  return { phase: 'answered', status: 200, retryAfter: undefined, contentType: 'application/json', body };
}

function takesRecords(route: ChangingRoute): route is BatchRoute {
  const { takes }: Route = ROUTES[route];
  return takes === 'records';
}

function recordTexts(text: string): (string | null)[] {
  const records = tryParseWithDigits(text);
  return Array.isArray(records) ? records.map((record) => stringifyWithDigits(record)) : [text];
}

async function formText({ parts }: MultipartBody): Promise<string> {
  const described: object[] = [];
  for (const part of parts) described.push(await describedPart(part));
  return JSON.stringify(described);
}

async function describedPart(part: FormPart): Promise<object> {
  if (!('content' in part)) return part;
  const { name, fileName, mediaType, content } = part;
  const hash = createHash('sha256');
  for await (const chunk of contentOf(part)) hash.update(chunk);
  return { name, fileName, mediaType, size: content.size, sha256: hash.digest('hex') };
}
