import type { Address, AppName, WrongAddress } from './addresses.ts';
import {
  type ApiRequest,
  type ApiResult,
  failureOf,
  isEntry,
  type OperationsApi,
  parsed,
  textOf,
} from './operations-api.ts';

export interface HttpOperationsApiOptions {
  readonly addressOf: (app: AppName) => Address | WrongAddress;
  /** Operations token for an address; null: none. */
  readonly tokenFor: (address: Address) => string | null;
  /** Longest wait for a complete answer; a change may take longer than a reading. */
  readonly readMs: number;
  readonly changeMs: number;
}

/**
 * Operations APIs of the apps over HTTP. A call is never repeated. A redirect is not followed, because it would
 * disclose the token. A change at an address that is not configured is refused.
 */
export class HttpOperationsApi implements OperationsApi {
  readonly #options: HttpOperationsApiOptions;

  constructor(options: HttpOperationsApiOptions) {
    this.#options = options;
  }

  async call(request: ApiRequest): Promise<ApiResult> {
    const { addressOf, tokenFor, readMs, changeMs } = this.#options;
    const address = addressOf(request.app);
    if (address.kind === 'wrong-address') return { kind: 'wrong-address', request, wrong: address };
    if (request.method !== 'GET' && address.source.kind === 'default') return { kind: 'guessed', request, address };
    const token = tokenFor(address);
    const ms = request.method === 'GET' ? readMs : changeMs;
    let status: number;
    let text: string;
    try {
      const response = await fetch(urlOf(address, request), {
        method: request.method,
        headers: {
          accept: 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(ms),
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError')
        return { kind: 'silent', ms, request, address };
      return { kind: 'unreachable', reason: reasonOf(error), request, address };
    }
    const body = text === '' ? {} : parsed(text);
    if (status === 401) return { kind: 'unauthorized', hasToken: token !== null, request, address };
    if (status >= 200 && status < 300 && isEntry(body)) return { kind: 'answer', body, request, address };
    return failureOf(status, body, { request, address });
  }
}

function urlOf(address: Address, { path, query = {} }: ApiRequest): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return `${address.url}${path}${search === '' ? '' : `?${search}`}`;
}

/**
 * The error of `fetch` only shows that it failed; its cause, or the first of several, has the code
 * (`ECONNREFUSED`).
 */
function reasonOf(error: unknown): string {
  if (!isEntry(error)) return String(error);
  const { cause, errors, code, message } = error;
  if (cause !== undefined) return reasonOf(cause);
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return textOf(code) ?? textOf(message) ?? '-';
}
