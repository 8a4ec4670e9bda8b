import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openApiGaps } from '@gondola/service-kit/testing/openapi-gaps';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import type { OpenAPIObject } from '@nestjs/swagger';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { BAIRRO, BAIRRO_TOKEN, IngestBench, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';
import { callApi } from '@gondola/local-stack/testing/as-operator';

interface Entry {
  readonly id: string;
  readonly operationId: string;
  readonly subject: string | null;
  readonly state: string;
}

interface Page {
  readonly entries: Entry[];
  readonly next: string | null;
}

interface Described {
  readonly components: { readonly schemas: { readonly NotificationEntry: { properties: object; required: string[] } } };
}

const EMAIL = 'cliente.teste.01@example.com';
const ORDER = 'Order_Updated';
const PRODUCT = { relatedEntity: 'ProductWithSKUs', eventType: 'ProductWithSKUs_Updated' };

const USER = envelope({
  relatedEntity: 'User',
  eventType: 'User_Updated',
  data: { email: EMAIL, odd: ' \u00e7 ' },
});

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  bench = await IngestBench.open('find', PATIENT_INBOX);
  app = await bench.start();
  for (const number of [1, 2, 1, 3]) await deliver(app, envelope({ data: { number, status: 300 } }));
  await deliver(app, envelope({ ...PRODUCT, data: { product: { externalReference: '4711' } } }));
  await deliver(app, USER);
  await deliver(app, envelope({ contractAccountId: BAIRRO, data: { number: 1 } }), {
    authorization: `Bearer ${BAIRRO_TOKEN}`,
  });
  await bench.everythingSent();
});

afterAll(async () => {
  await bench.close();
});

async function find(query: string): Promise<Page> {
  const { status, body } = await callApi<Page>(app, `/api/notifications${query}`);
  expect(status).toBe(200);
  return body;
}

const subjects = ({ entries }: Page) => entries.map(({ subject }) => subject);

describe('notifications', () => {
  it('are listed newest first, page by page, without their content', async () => {
    const all = await find('');
    expect(subjects(all)).toEqual(['order/1', null, 'product/4711', 'order/3', 'order/1', 'order/2', 'order/1']);
    expect(all.entries[3]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      tenant: 'acme',
      operationId: expect.any(String),
      eventType: ORDER,
      relatedEntity: 'Order',
      subject: 'order/3',
      topic: 'platform.notifications.orders.v1',
      dedupKey: expect.stringMatching(/^acme:/),
      bytes: Buffer.byteLength(envelope({ data: { number: 3, status: 300 } })),
      receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      state: 'sent',
      sentAt: expect.stringMatching(/^\d{4}-.*Z$/),
      parkedReason: null,
      bodyErasedAt: null,
    });
    const first = await find('?limit=3');
    const second = await find(`?limit=3&before=${first.next}`);
    const third = await find(`?limit=3&before=${second.next}`);
    expect([...first.entries, ...second.entries, ...third.entries]).toEqual(all.entries);
    expect(third.next).toBeNull();
  });

  it('are found by order, operation, name, entity, identity, tenant and state', async () => {
    expect(subjects(await find('?orderNumber=1'))).toEqual(['order/1', 'order/1', 'order/1']);
    expect(subjects(await find('?tenant=acme&orderNumber=0001'))).toEqual(['order/1', 'order/1']);
    const { entries } = await find('?tenant=acme&orderNumber=2');
    expect(await find(`?operationId=${entries[0]!.operationId}`)).toEqual({ entries, next: null });
    expect(subjects(await find('?eventType=ProductWithSKUs_Updated'))).toEqual(['product/4711']);
    expect(subjects(await find('?entity=ProductWithSKUs&identity=4711'))).toEqual(['product/4711']);
    expect((await find('?entity=User')).entries).toMatchObject([{ state: 'untold', topic: null, subject: null }]);
    expect((await find('?state=unpublished')).entries).toHaveLength(1);
    expect((await find('?state=untold')).entries).toHaveLength(1);
    expect((await find('?state=sent&tenant=acme')).entries).toHaveLength(5);
    expect((await find('?state=waiting')).entries).toEqual([]);
    expect((await find('?tenant=nobody')).entries).toEqual([]);
  });

  it.each([
    ['?orderNumber=x', 'orderNumber is a whole number'],
    ['?identity=1', 'identity needs entity'],
    [`?entity=User&identity=${EMAIL}`, 'search by operationId'],
    ['?state=gone', 'state is one of: waiting, sent, parked, unpublished, untold'],
    ['?limit=0', 'limit is a whole number'],
    ['?limit=many', 'limit is a whole number'],
    ['?before=x', 'before is'],
    ['?orderNo=1', 'there are: tenant, orderNumber'],
    ['?tenant=a&tenant=b', 'tenant may be given once'],
  ])('are not searched by what is no question: %s', async (query, message) => {
    const answer = await callApi(app, `/api/notifications${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } });
  });

  it('show their content only where it is asked for, and that is counted and logged', async () => {
    const [{ id } = { id: '' }] = (await find('?entity=User&limit=1')).entries;
    const without = await callApi<object>(app, `/api/notifications/${id}`);
    expect(without.body).not.toHaveProperty('bodyBase64');
    const shown = await callApi<{ bodyBase64: string }>(app, `/api/notifications/${id}?body=true`);
    expect(Buffer.from(shown.body.bodyBase64, 'base64').toString()).toBe(USER);
    expect({ ...shown.body, bodyBase64: undefined }).toEqual({ ...without.body, bodyBase64: undefined });
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('gondola_bodies_shown_total{tenant="acme",kind="notification"} 1');
    expect(bench.log.find((line) => line.includes('A stored body was shown'))).toMatch(
      /"level":"warn","time":"2.*"kind":"notification","tenant":"acme","dedupKey":"acme:.*"token":"OPERATIONS_TOKEN"/,
    );
    expect(`${metrics}${bench.log.join('')}`).not.toContain(EMAIL);
  });

  it.each(['999999999', 'x', '-1', randomUUID()])('that are not there are a 404 with a sentence: %s', async (id) => {
    expect(await callApi(app, `/api/notifications/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: expect.stringContaining('No notification has this id') } },
    });
  });
});

describe('the operations API', () => {
  it('has each of its routes in its document, with its answers', async () => {
    const { body } = await callApi<OpenAPIObject>(app, '/api/openapi.json');
    expect(openApiGaps(body)).toEqual([]);
    const list = { responses: { 200: {}, 400: {} } };
    const entry = { get: { responses: { 200: {}, 400: {}, 404: {} } } };
    expect(body.paths).toMatchObject({
      '/api/notifications': { get: list },
      '/api/notifications/{id}': entry,
      '/api/quarantine': { get: list },
      '/api/quarantine/{id}': entry,
      '/api/quarantine/{id}/reprocess': { post: { responses: { 200: {}, 404: {}, 409: {} } } },
      '/api/quarantine/{id}/discard': { post: { responses: { 200: {}, 400: {}, 404: {}, 409: {} } } },
      '/api/webhook-registration': {
        get: list,
        post: { responses: { 200: {}, 400: {}, 409: {}, 422: {}, 502: {}, 503: {} } },
      },
      '/api/erasures': { get: list, post: list },
      '/webhooks/platform': { post: { security: [], responses: { 200: {}, 401: {}, 413: {}, 503: {} } } },
      '/webhooks/platform/{tenant}': { post: { security: [], responses: { 200: {} } } },
    });
  });

  it('describes requests by their fields and limits', async () => {
    const { body } = await callApi<OpenAPIObject>(app, '/api/openapi.json');
    expect(body.components?.schemas).toMatchObject({
      ErasureRequest: { properties: { confirm: { type: 'boolean', enum: [true] } }, required: expect.anything() },
      Discard: { properties: { note: { type: 'string', minLength: 1, maxLength: 500 } }, required: ['note'] },
      RegistrationRequest: { required: ['tenant', 'url'] },
    });
    const { parameters } = body.paths['/api/quarantine']!.get!;
    expect(parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'state',
          required: false,
          schema: expect.objectContaining({ enum: expect.arrayContaining(['open']) }),
        }),
        expect.objectContaining({
          name: 'limit',
          in: 'query',
          schema: expect.objectContaining({ type: 'integer', maximum: 200 }),
        }),
      ]),
    );
  });

  it('describes a notification by the fields that it shows', async () => {
    const [{ id } = { id: '' }] = (await find('?limit=1')).entries;
    const { body: document } = await callApi<Described>(app, '/api/openapi.json');
    const { body: entry } = await callApi<object>(app, `/api/notifications/${id}`);
    const { properties, required } = document.components.schemas.NotificationEntry;
    expect(Object.keys(entry).toSorted()).toEqual(Object.keys(properties).toSorted());
    expect(required.toSorted()).toEqual(Object.keys(properties).toSorted());
    expect(properties).toMatchObject({ sentAt: { type: ['string', 'null'], format: 'date-time' } });
  });
});
