import { type Check, failed, HELD, skipped, type Verdict } from './check.ts';
import { type Json, parsed } from './parsed.ts';
import { BROKEN_PRODUCTS, BROKEN_SKUS, itemsOf, SHOWN, UNITS } from './platform-shop.ts';

/** An answer of the platform, or a notification that came; status 0: none. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

type Headers = Readonly<Record<string, string | null>>;
export interface Received {
  readonly authorization: string | undefined;
  readonly text: string;
}

/** The platform that is asked. */
export interface AskedPlatform {
  readonly prefix: string;
  readonly policy: string;
  readonly account: string;
  /** Registration of the receiver of notifications; null: there is none. */
  readonly webhook: Json | null;
  /** Headers stand beside those of the merchant; null: without that one. A body of text is sent as it is. */
  readonly ask: (
    method: string,
    path: string,
    body?: readonly unknown[] | Json | string,
    headers?: Headers,
  ) => Promise<Answer>;
  /** Repeats a look until it is so, or the wait is over; returns the last. */
  readonly until: <T>(look: () => Promise<T>, isSo: (seen: T) => boolean) => Promise<T>;
  /** Notifications so far. The receiver refuses those of the product `<prefix>-last`. */
  readonly notes: () => readonly Received[];
}

type Judge = (answer: Answer) => Verdict;
type Row = readonly [section: string, statement: string, seen: Answer | null, judge: Judge];

export const EVENT_NAMES = ['Order_StatusUpdateFailed', 'Operation_Failed', 'Brand_CreationFailed'].concat(
  ['Created', 'Updated', 'CreationFailed', 'UpdateFailed', 'PartiallyFailed'].map((end) => `ProductWithSKUs_${end}`),
);
const NO_ORDER = 999_999_999;
const OTHER = '99999999-9999-4999-8999-999999999999';
const GUID = /^"?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"?$/i;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/;
const [SERVICE, MODEL, ACCESS] = ['What the service does', 'Product read model', 'Authentication'];
const [ANSWERS, CATALOG] = ['Synchronous responses', 'Catalog'];
const [EVENTS, REPORT] = ['Catalog events', 'Catalog report'];

/** Asks the platform, one call after the other, and returns the checks of what it answered. */
export async function platformChecks(platform: AskedPlatform): Promise<Check[]> {
  const webhook = await webhookRows(platform);
  const rows = [...webhook, ...(await accessRows(platform)), ...(await catalogRows(platform, webhook))];
  return rows.map(([section, statement, seen, judge]) => {
    return { section, statement, run: () => (seen === null ? skipped('--listen') : judge(seen)) };
  });
}

/** These come first: nothing changes a webhook afterwards, and a shop that has one may say only that (409). */
async function webhookRows({ webhook, ask }: AskedPlatform): Promise<Row[]> {
  const post = async (more: Json, headers?: Headers) =>
    webhook === null ? null : ask('POST', '/v1/Webhooks', { ...webhook, ...more }, headers);
  const nobody = { 'x-contractAccountId': null };
  const wrong = unless409(is(400));
  const form = so('{ id, url }', (json) => Object.keys(json).toSorted().join() === 'id,url');
  return [
    [ANSWERS, 'webhooks: 400 for a missing or malformed tenant', await post({}, nobody), wrong],
    [ANSWERS, 'webhooks: 400 for `originType` outside the enumeration', await post({ originType: 'Robot' }), wrong],
    [ANSWERS, 'webhooks: 400 for an empty `originData`', await post({ originData: '' }), wrong],
    [ANSWERS, 'webhooks: 400 for an empty `url`', await post({ url: '' }), wrong],
    [ANSWERS, 'webhooks: 400 for an invalid item of `eventTypes`', await post({ eventTypes: ['Order_Eaten'] }), wrong],
    ['Webhook', '`POST /v1/Webhooks` answers 200 `{ id, url }`', await post({ unknownKey: 1 }), unless409(form)],
    [ANSWERS, 'webhooks: 409 for a second one', await post({}), is(409)],
  ];
}

/** Who is let in, and calls about an order that does not exist: a caller cannot make one. */
async function accessRows({ prefix, ask }: AskedPlatform): Promise<Row[]> {
  const get = (headers?: Headers) => ask('GET', `/v1/batch/Products/${prefix}-none`, undefined, headers);
  const invoice = (more: Json) => {
    const body = { number: '4501', issuanceDate: '2026-11-20T14:05:00Z', value: 18_745, ...more };
    return ask('PUT', `/v1/Orders/invoiced/${NO_ORDER}`, body);
  };
  const wrong = { authorization: `Basic ${Buffer.from('gondola:wrong').toString('base64')}` };
  const [bare, basic] = ['`Authorization` with scheme Basic on each call of the integration API', 'and not Basic'];
  const tenant = '`x-contractAccountId` with the tenant’s GUID on each call';
  const payload = await ask('GET', `/v1/Orders/${NO_ORDER}/webhook-payload`);
  return [
    [ACCESS, bare, await get({ authorization: null }), is(401, 403)],
    [ACCESS, '… and no other scheme, user or password', await get(wrong), is(401, 403)],
    [ACCESS, '… of that tenant', await get({ 'x-contractAccountId': OTHER }), is(400, 401, 403)],
    [ACCESS, tenant, await get({ 'x-contractAccountId': null }), is(400, 401, 403)],
    [ACCESS, `… ${basic}`, await ask('GET', '/v1/gateway/orders/1/details'), is(401, 403)],
    [ANSWERS, 'GET of a product: 404 if it does not exist', await get(), is(404)],
    [ANSWERS, 'webhook-payload: 404 for an order that does not exist', payload, is(404)],
    [ANSWERS, 'PUT invoiced: 500 for an order that does not exist', await invoice({}), is(500)],
    [ANSWERS, 'PUT invoiced: 400 if `number` is empty', await invoice({ number: '' }), is(400)],
    [ANSWERS, 'PUT invoiced: 400 if `value` is missing', await invoice({ value: undefined }), is(400)],
    ['Invoice registration', '`value` is a number, not text', await invoice({ value: '18745' }), is(400)],
    ['Invoice registration', '… with its Z', await invoice({ issuanceDate: '2026-11-20T14:05:00' }), is(400)],
  ];
}

async function catalogRows(
  { prefix, policy, account, webhook, ask, until, notes }: AskedPlatform,
  registration: readonly Row[],
): Promise<Row[]> {
  const { product, sku, limits } = itemsOf(prefix, policy);
  const post = (route: string, body: Parameters<typeof ask>[2]) => ask('POST', `/v1/batch/${route}`, body);
  const send = (...products: readonly Json[]) => post('Products', products);
  const get = (name: string) => ask('GET', `/v1/batch/Products/${prefix}-${name}`);
  const isThere = ({ status }: Answer): boolean => status === 200;
  const change = async (more: Json, path: string, value: unknown) => {
    await send({ externalReference: `${prefix}-main`, ...more });
    return until(
      () => get('main'),
      ({ text }) => at(parsed(text), path) === value,
    );
  };
  const note = async (event: string, name: string | number, count = 1): Promise<Answer | null> => {
    const identity = typeof name === 'string' ? `${prefix}-${name}` : name;
    const isAbout = (json: Json): boolean => json['eventType'] === event && identityOf(json) === identity;
    const found = async () => notes().filter(({ text }) => isAbout(parsed(text)));
    const came = webhook === null ? [] : await (isSilent ? found() : until(found, ({ length }) => length >= count));
    isSilent = notes().length === 0;
    const isRight = came.length === count && new Set(came.map(({ text }) => text)).size === 1;
    return webhook === null || (isSilent && isOthers) ? null : { status: isRight ? 200 : 0, text: came[0]?.text ?? '' };
  };
  // A shop that had a webhook may send to somebody else; and where nothing came, nothing more is waited for.
  const isOthers = registration.some(([section, , seen]) => section === 'Webhook' && seen?.status === 409);
  let isSilent = false;

  const texts = { name: 'Teste', title: 'Teste', description: 'Teste' };
  const brand = { externalReference: `${prefix}-b`, ...texts, punctuation: 1, unknownKey: 1 };
  const child = { externalReference: `${prefix}-c1`, ...texts, showInStoreFront: false, position: 1 };
  const own = { brandExternalReference: `${prefix}-b`, categoryExternalReference: `${prefix}-c1`, unknownKey: 1 };
  const none = { brandExternalReference: `${prefix}-no`, categoryExternalReference: `${prefix}-no`, ean: undefined };
  const sent = product('main', { ...own, price: 9.9, skus: [sku('main-1')] });
  const broken = Object.values(BROKEN_PRODUCTS).map((more, n) => product(`p${n}`, more));
  const units = UNITS.map((unitOfMeasurement) => sku(unitOfMeasurement, { unitOfMeasurement }));
  const skus = [...units, ...Object.values(BROKEN_SKUS).map((more, n) => sku(`k${n}`, more))];
  const brands = await post('Brands', [brand]);
  const badBrand = await post('Brands', [{ ...brand, externalReference: `${prefix}-bad`, name: undefined }]);
  const tree = await post('Categories', [{ ...child, externalReference: `${prefix}-c`, children: [child] }]);
  const products = await send(sent, product('alone', none), product('skus', { skus }), limits, ...broken);
  await send(product('last'));
  const isWhole = ({ text }: Answer): boolean => Boolean(parsed(text)['brand'] && parsed(text)['category']);
  // A product that came before its brand and category is sent again.
  const again = async () => (isThere(await get('main')) && !isWhole(await get('main')) ? send(sent) : undefined);
  const main = await until(() => again().then(() => get('main')), isWhole);
  const [alone, many, longest] = [
    await until(() => get('alone'), isThere),
    await until(() => get('skus'), isThere),
    await until(() => get(String(limits['externalReference']).slice(prefix.length + 1)), isThere),
  ];
  // A product that is not there once the last one is, was rejected.
  await until(() => get('last'), isThere);
  const rejected: Answer[] = [];
  for (const at of broken.keys()) rejected.push(await get(`p${at}`));
  const created = await note('ProductWithSKUs_Created', 'main');
  const refused = await note('ProductWithSKUs_CreationFailed', 'p0');
  const partial = await note('ProductWithSKUs_PartiallyFailed', 'skus');
  const brandNote = await note('Brand_CreationFailed', 'bad');
  const thrice = await note('ProductWithSKUs_Created', 'last', 3);
  const updated = await change({ title: 'Outro', similarTerms: null, commercialPoliticId: OTHER }, 'title', 'Outro');
  const changed = { skus: [{ externalReference: `${prefix}-main-1`, name: 'Outro' }] };
  const skuUpdated = await change(changed, 'skus.0.name', 'Outro');
  const inactive = await change({ active: false }, 'active', false);
  const taken = await send(product('slug', { slug: `${prefix}-main` }), product('after'));
  await until(() => get('after'), isThere);
  const removal = await ask('DELETE', '/v1/batch/Products', [`${prefix}-main`]);
  const patch = await ask('PATCH', `/v1/Orders/${NO_ORDER}/status`, { status: 'ORDER_BEING_PREPARED' });
  const patchNote = patch.status < 400 ? await note('Order_StatusUpdateFailed', NO_ORDER) : patch;

  const references = (json: Json): readonly unknown[] =>
    Array.isArray(json['skus']) ? json['skus'].map((each) => at(each, 'externalReference')) : [];
  const lacks = (name: string) =>
    so(`– ${name}`, (json) => references(json).length > 0 && !references(json).includes(`${prefix}-${name}`));
  const first = parsed(main.text);
  const kept = SHOWN.product.filter((name) => !['title', 'similarTerms'].includes(name));
  const ofSku = SHOWN.sku.filter((name) => name !== 'name').map((name) => `skus.0.${name}`);
  const keptSku = ofSku.map((path) => field(path, at(first, path)));
  const local = so('YYYY-MM-DDThh:mm:ss', (json) => LOCAL_TIME.test(String(json['createdAt'])));
  const operation = products.text.trim().replaceAll('"', '');
  const login = 'a delivery of a webhook with `authType` `Bearer` carries the `authToken` in `Authorization`';
  const logins = [webhook?.['authToken'], `Bearer ${String(webhook?.['authToken'])}`];
  const hasLogin = notes().every(({ authorization }) => logins.includes(authorization));
  const update = 'an update of a product changes the keys that are there and no others';
  const unknown = 'an unknown key is ignored in products, SKUs, brands and categories';
  const lost = '`commercialPoliticId` sent back is an unknown key, whose value is lost';
  return [
    [SERVICE, 'an asynchronous call is queued and answered with an `operationId`', brands, guid('operationId')],
    [SERVICE, 'nor is that of brands and categories', badBrand, is(200)],
    [CATALOG, '`POST /v1/batch/Categories` takes a list of categories with `children`', tree, is(200)],
    [CATALOG, '`Pricing` below `/v1/batch/` answers `{ operationId }`', await post('Pricing', []), guid('operationId')],
    [SERVICE, 'the content of a product batch is not judged before the 200', taken, is(200)],
    [CATALOG, '… which is a GUID', products, so('"GUID"', (_, text) => GUID.test(text.trim()))],
    [ANSWERS, 'products: never 400', await post('Products', '{'), is(200, 500)],
    [ANSWERS, 'DELETE of products: 500, always', removal, is(500)],
    [CATALOG, '… and deletes nothing', await get('main'), is(200)],
    [SERVICE, unknown, main, is(200)],
    ['Category', 'one call can carry a whole tree in `children`', main, so('category', ({ category }) => category)],
    ['Product', 'prices and stock never belong to a product', main, so('– price', (json) => !('price' in json))],
    ['Product', 'without a valid category the product is created without one', alone, field('category', null)],
    ['Product', '`ean` is not required', alone, is(200)],
    ['Product', '`slug` is unique', await get('slug'), is(404)],
    ...Object.keys(BROKEN_PRODUCTS).map((statement, n): Row => ['Product', statement, rejected[n] ?? null, is(404)]),
    ['Product', '… and may have 60', longest, is(200)],
    ['Product', '`name` may have 5 and 400', longest, field('name', limits['name'])],
    ...Object.keys(BROKEN_SKUS).map((statement, n): Row => ['SKU', statement, many, lacks(`k${n}`)]),
    ['SKU', '`name` may have 400', longest, field('skus.0.name', limits['name'])],
    ...SHOWN.product.map((name): Row => [MODEL, `\`${name}\` as sent`, main, field(name, sent[name])]),
    ...SHOWN.sku.map((name): Row => {
      return [MODEL, `of a SKU: \`${name}\` as sent`, main, field(`skus.0.${name}`, sku('main-1')[name])];
    }),
    [MODEL, '`id` is a GUID', main, guid('id')],
    [MODEL, '`contractAccountId` is the tenant', main, field('contractAccountId', account)],
    [MODEL, '`commercialPoliticId` is the policy of the input', main, field('commercialPoliticId', policy)],
    [MODEL, '`brandId` and `brand`: null without a brand', alone, field('brandId', null)],
    [MODEL, '`createdAt` is local time without a zone', main, local],
    [MODEL, 'of a SKU: `unitOfMeasure` is the unit of the input', main, field('skus.0.unitOfMeasure', 'Un')],
    [SERVICE, update, updated, all(kept.map((name) => field(name, first[name])))],
    [SERVICE, 'null is not the same as an absent key', updated, field('similarTerms', null)],
    [SERVICE, '… of a product', updated, field('id', first['id'])],
    [MODEL, lost, updated, field('commercialPoliticId', policy)],
    [SERVICE, '… of a SKU', skuUpdated, field('skus.0.id', at(first, 'skus.0.id'))],
    [SERVICE, 'so does an update of a SKU', skuUpdated, all(keptSku)],
    ['Product activity', '`externalReference` and `active` alone are an update', inactive, field('active', false)],
    [SERVICE, 'the outcome comes only as a notification with that id', created, field('operationId', operation)],
    [EVENTS, 'a product with its SKUs has one notification', created, is(200)],
    [ACCESS, 'it has the tenant’s `contractAccountId`', created, field('contractAccountId', account)],
    [ACCESS, login, created, so('authToken', () => hasLogin)],
    [REPORT, '`summary.status` `Success`', created, field('data.summary.status', 'Success')],
    [REPORT, '`skus.successful` counts those that entered', partial, field('data.skus.successful', UNITS.length)],
    [REPORT, '… and the error object if it did not', refused, so('error', (json) => at(json, 'data.product.error'))],
    [EVENTS, '… and the envelope has no `error`', refused, so('– error', (json) => !json['error'])],
    [EVENTS, 'Brand: the error is in the envelope', brandNote, so('error', ({ error }) => error)],
    ['Asynchronous errors', 'a PATCH refused with a 4xx: `Order_StatusUpdateFailed`', patchNote, is(200)],
    ['Delivery rules', 'up to three deliveries', thrice, is(200)],
  ];
}

function unless409(judge: Judge): Judge {
  return (answer) => (answer.status === 409 ? skipped('HTTP 409') : judge(answer));
}

function is(...codes: readonly number[]): Judge {
  return (answer) => (codes.includes(answer.status) ? HELD : failed(`HTTP ${codes.join(' | ')}`, described(answer)));
}

/** A 200 of this form. */
function so(expected: string, isSo: (json: Json, text: string) => unknown): Judge {
  return (answer) => {
    const isRight = answer.status === 200 && Boolean(isSo(parsed(answer.text), answer.text));
    return isRight ? HELD : failed(expected, described(answer));
  };
}

function field(path: string, value: unknown): Judge {
  const expected = JSON.stringify(value) ?? '';
  return so(`${path}: ${expected.slice(0, 80)}`, (json) => (JSON.stringify(at(json, path)) ?? '') === expected);
}

function guid(name: string): Judge {
  return so(`${name}: GUID`, (json) => GUID.test(String(json[name])));
}

function all(judges: readonly Judge[]): Judge {
  return (answer) => judges.map((judge) => judge(answer)).find(({ kind }) => kind !== 'held') ?? HELD;
}

/** An answer without the values of its fields. */
function described({ status, text }: Answer): string {
  const names = Object.keys(parsed(text)).join(', ');
  return `HTTP ${status || '–'}, ${names === '' ? text.slice(0, 80) : `{ ${names} }`}`;
}

function at(json: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Json | null | undefined)?.[key], json);
}

export function identityOf({ data }: Json): unknown {
  return at(data, 'number') ?? at(data, 'product.externalReference') ?? at(data, 'externalReference');
}
