/**
 * Answers from 200 to 399 that are not the answer of any route: what a maintenance page, a gateway or a proxy in
 * between answers in its place.
 */

export interface PageAnswer {
  readonly status: number;
  /** Undefined: no `Content-Type`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const HTML = '<!doctype html><html lang="pt-BR"><title>Manutenção</title><h1>Voltamos em instantes</h1></html>';

function redirect(status: number): PageAnswer {
  return { status, headers: { location: '/manutencao' }, type: HTML_TYPE, body: HTML };
}

const FORMS = {
  html: { status: 200, type: HTML_TYPE, body: HTML },
  'html-as-json': { status: 200, type: JSON_TYPE, body: HTML },
  empty: { status: 200, body: '' },
  'no-content': { status: 204, body: '' },
  'plain-text': { status: 200, type: 'text/plain; charset=utf-8', body: 'OK' },
  'empty-object': { status: 200, type: JSON_TYPE, body: '{}' },
  'empty-list': { status: 200, type: JSON_TYPE, body: '[]' },
  null: { status: 200, type: JSON_TYPE, body: 'null' },
  number: { status: 200, type: JSON_TYPE, body: '42' },
  'json-text': { status: 200, type: JSON_TYPE, body: '"OK"' },
  'other-shape': {
    status: 202,
    type: JSON_TYPE,
    body: '{"message":"Solicitação recebida","page":{"number":1,"items":[{"id":7}]}}',
  },
  'error-inside': {
    status: 200,
    type: JSON_TYPE,
    body: '{"error":{"code":"MAINTENANCE","message":"Em manutenção"}}',
  },
  'cut-off': { status: 200, type: JSON_TYPE, body: '{"operationId":"6f1c0a4e-6f0e-4c3a-9b7e-0d5' },
  'moved-permanently': redirect(301),
  found: redirect(302),
  'see-other': redirect(303),
  'temporary-redirect': redirect(307),
  'permanent-redirect': redirect(308),
} satisfies Readonly<Record<string, PageAnswer>>;

export type PageForm = keyof typeof FORMS;
export const PAGE_FORMS = Object.keys(FORMS) as [PageForm, ...PageForm[]];

const WITHOUT_BODY: ReadonlySet<PageForm> = new Set(['empty', 'no-content']);
/** Forms that may be an answer which the document does not show. */
const ANY_JSON: ReadonlySet<PageForm> = new Set([
  'empty-object',
  'empty-list',
  'null',
  'number',
  'json-text',
  'other-shape',
]);

/** A route's own answer, as far as the document shows it. */
export interface OwnAnswer {
  /** A list, of which an empty one is an answer. */
  readonly isList: boolean;
  /** `no body`: an accepted call, whose answer may be empty; `any JSON`: a read, whose answer may be any JSON. */
  readonly notShown?: 'no body' | 'any JSON' | undefined;
}

/** The named form, or the one that a share from 0 to below 1 chooses from those that are no answer of the route. */
export function pageAnswer(form: PageForm | undefined, share: number, own: OwnAnswer): PageAnswer {
  const forms = PAGE_FORMS.filter((each) => !mayBeOwn(each, own));
  return FORMS[form ?? forms[Math.floor(share * forms.length)] ?? 'html'];
}

function mayBeOwn(form: PageForm, { isList, notShown }: OwnAnswer): boolean {
  if (isList && form === 'empty-list') return true;
  if (notShown === 'no body') return WITHOUT_BODY.has(form);
  return notShown === 'any JSON' && ANY_JSON.has(form);
}
