import type { Address, AppName, WrongAddress } from './addresses.ts';

/** A JSON object of an app; its fields are checked where they are shown. */
export type Entry = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly app: AppName;
  readonly method: 'GET' | 'POST';
  /** Percent-encoded, starting with `/api`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: Entry;
}

interface Called {
  readonly request: ApiRequest;
  readonly address: Address;
}

/** A 2xx answer; one without a body is an empty object. */
interface ApiAnswer extends Called {
  readonly kind: 'answer';
  readonly body: Entry;
}

/** Kinds of failure of a call; each has one sentence and one exit code (`explainFailure`). */
export type ApiFailure =
  | ({ kind: 'refused'; status: number; code: string | null; message: string | null } & Called)
  | ({ kind: 'unauthorized'; hasToken: boolean } & Called)
  | ({ kind: 'unreachable'; reason: string } & Called)
  | ({ kind: 'silent'; ms: number } & Called)
  /** A change was requested at the default address, which is not configured. */
  | ({ kind: 'guessed' } & Called)
  | ({ kind: 'not-understood'; status: number } & Called)
  | { kind: 'wrong-address'; request: ApiRequest; wrong: WrongAddress };

export type ApiResult = ApiAnswer | ApiFailure;

/** The apps' operations APIs. */
export interface OperationsApi {
  call(request: ApiRequest): Promise<ApiResult>;
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; null if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Failure of a call that was answered, but without success. */
export function failureOf(status: number, body: unknown, called: Called): ApiFailure {
  if (status < 400 || !isEntry(body) || !isEntry(body['error'])) return { kind: 'not-understood', status, ...called };
  const { code, message } = body['error'];
  return { kind: 'refused', status, code: textOf(code), message: textOf(message), ...called };
}

/** The objects of a list; none if the value is no list. */
export function entriesOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value.filter(isEntry) : [];
}
