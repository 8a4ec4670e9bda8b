import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { TestServer } from '@gondola/local-stack/testing/test-server';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { ReadAnswer } from '../src/answers.ts';
import type { PlatformClient } from '../src/platform-client.ts';
import { HELD_MS, type HeldTimeouts, holdTimeouts } from '../src/testing/held-timeouts.ts';
import { CHANGES, image, type Change, type ReadingRoute, valueIn } from './support/changes.ts';
import { Merchant, product } from './support/merchant.ts';

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

let sandbox: TestSandbox;
let merchant: Merchant;
let timeouts: HeldTimeouts;

beforeAll(async () => {
  sandbox = await TestSandbox.start('client-contract', { LOG_LEVEL: 'fatal' });
});
beforeEach(async () => {
  timeouts = holdTimeouts();
  merchant = await Merchant.open(sandbox);
});
afterEach(async () => {
  timeouts.release();
  await sandbox.admin('DELETE', '/faults');
});
afterAll(() => sandbox.close());

async function asked(change: Change): Promise<object> {
  return merchant.with((client) => change.ask(client));
}

/** True if the change is done once the core has no work left. */
async function comesToBe({ isDone }: Change): Promise<boolean> {
  await sandbox.idle();
  return isDone();
}

describe.each(Object.entries(CHANGES))('%s', (_, { route, prepare }) => {
  it('is accepted with the id of its operation, unknown fields or not, and done', async () => {
    const change = await prepare(merchant);
    await sandbox.fault({ kind: 'extra-fields', route });
    const { kind, ...ids } = (await asked(change)) as Record<string, unknown>;
    expect(['accepted', 'registered']).toContain(kind);
    expect(ids['operationId'] ?? ids['transactionId'] ?? ids['id']).toMatch(GUID);
    expect(await comesToBe(change)).toBe(true);
  });

  it('is unavailable where a gateway turns it away, and nothing is done', async () => {
    const change = await prepare(merchant);
    await sandbox.fault({ kind: 'credentials-expired', route });
    expect(await asked(change)).toMatchObject({ kind: 'unavailable', cause: 'credentials' });
    await sandbox.fault({ kind: 'too-many-requests', route, retryAfter: 7 });
    const throttled = await asked(change);
    expect(throttled).toMatchObject({ kind: 'unavailable', cause: 'throttled' });
    const { retryAfterMs } = throttled as { retryAfterMs: number };
    // The client reports the rest of the seven seconds.
    expect(retryAfterMs > 0 && retryAfterMs <= 7_000).toBe(true);
    expect(await comesToBe(change)).toBe(false);
  });

  it('is unknown where the platform fails or hangs up before it, and nothing is done', async () => {
    const change = await prepare(merchant);
    await sandbox.fault({ kind: 'error-before', route });
    expect(await asked(change)).toMatchObject({ kind: 'unknown', cause: 'server-error', status: 500 });
    await sandbox.fault({ kind: 'drop-before', route });
    expect(await asked(change)).toMatchObject({ kind: 'unknown', cause: 'dropped' });
    expect(await comesToBe(change)).toBe(false);
  });

  it('is unknown where the connection drops after it, and done (rule 16)', async () => {
    const change = await prepare(merchant);
    await sandbox.fault({ kind: 'drop-after', route });
    expect(await asked(change)).toMatchObject({ kind: 'unknown', cause: 'dropped' });
    expect(await comesToBe(change)).toBe(true);
  });

  it('is unknown where the platform fails after it, and done (rule 16)', async () => {
    const change = await prepare(merchant);
    await sandbox.fault({ kind: 'error-after', route, status: 502 });
    expect(await asked(change)).toMatchObject({ kind: 'unknown', cause: 'server-error', status: 502 });
    expect(await comesToBe(change)).toBe(true);
  });
});

const READS: Readonly<
  Record<ReadingRoute, { route: string; ask: (client: PlatformClient, sold: Sold) => Promise<ReadAnswer<unknown>> }>
> = {
  getProduct: { route: '^GET /v1/batch/Products/', ask: (client) => client.getProduct('4711') },
  getOrderStatus: { route: '^GET /v1/Orders/\\d+/status$', ask: (client, { number }) => client.getOrderStatus(number) },
  getWebhookPayload: {
    route: '^GET /v1/Orders/\\d+/webhook-payload',
    ask: (client, { number }) => client.getWebhookPayload(number),
  },
  listFiles: { route: '^GET /v1/Storages/file/', ask: (client) => client.listFiles('4711-1', FILE_TYPES.SKU) },
  getInvoice: { route: '^GET /v1/Storages/invoice', ask: (client, { id }) => client.getInvoice(id) },
  getOrderDetails: { route: '^GET /v1/gateway/orders/', ask: (client, { id }) => client.getOrderDetails(id) },
};

interface Sold {
  readonly number: string;
  readonly id: string;
}

async function soldWithFiles(): Promise<Sold> {
  const sold = await merchant.buy();
  await merchant.with(async (client) => {
    await client.uploadImages('4711-1', [image('main', 1)]);
    await client.uploadInvoicePdf(sold.id, { content: new Blob(['%PDF-1.4']), fileName: 'danfe.pdf' });
  });
  await sandbox.idle();
  return sold;
}

describe.each(Object.entries(READS))('%s', (_, { route, ask }) => {
  it('finds what is there, unknown fields and codes or not', async () => {
    const sold = await soldWithFiles();
    await sandbox.fault({ kind: 'extra-fields', route });
    expect(await merchant.with((client) => ask(client, sold))).toMatchObject({ kind: 'found' });
  });

  it('is unavailable where the platform turns away, fails or hangs up, and refused by another 4xx', async () => {
    const sold = await soldWithFiles();
    const faults = [
      [{ kind: 'credentials-expired' }, { kind: 'unavailable', cause: 'credentials' }],
      [{ kind: 'too-many-requests' }, { kind: 'unavailable', cause: 'throttled' }],
      [{ kind: 'error-before' }, { kind: 'unavailable', cause: 'server-error' }],
      [{ kind: 'error-after' }, { kind: 'unavailable', cause: 'server-error' }],
      [{ kind: 'drop-after' }, { kind: 'unavailable', cause: 'dropped' }],
      [
        { kind: 'refuse', status: 409 },
        { kind: 'refused', status: 409 },
      ],
    ] as const;
    for (const [fault, answer] of faults) {
      await sandbox.fault({ ...fault, route });
      expect(await merchant.with((client) => ask(client, sold))).toMatchObject(answer);
    }
  });
});

describe('what both sides read the same', () => {
  it('a read model is one object, found by a reference with any characters', async () => {
    await merchant.with(async (client) => {
      await client.sendRecords('postProducts', JSON.stringify([product('a/b #1? ç%')]));
      await sandbox.idle();
      const found = await client.getProduct('a/b #1? ç%');
      expect(found.kind === 'found' && valueIn(found.value, 'externalReference')).toBe('a/b #1? ç%');
      expect(await client.getProduct('4712')).toEqual({ kind: 'not-found' });
    });
  });

  it('an order that is not paid has a status and no payload (rule 17)', async () => {
    const { number } = await merchant.buy('pending');
    await merchant.with(async (client) => {
      expect(await client.getOrderStatus(number)).toMatchObject({ kind: 'found', value: 100 });
      expect(await client.getWebhookPayload(number)).toEqual({ kind: 'not-found' });
    });
  });

  it('the payload that the wire profile selects is v2, with the final price and the registration where the profile says', async () => {
    const { number } = await merchant.buy();
    await merchant.with(async (client) => {
      const before = await client.getWebhookPayload(number);
      const text = before.kind === 'found' ? before.value : '{}';
      expect([valueIn(text, 'eventType'), valueIn(text, 'status'), valueIn(text, 'orderInvoiced')]).toEqual([
        14,
        300,
        null,
      ]);
      expect(valueIn(text, 'acceptedOrderDetails.total')).toBe(12.45);
      await client.putInvoiced(
        number,
        JSON.stringify({ number: '1', issuanceDate: '2026-11-20T13:15:00Z', value: 1_245 }),
      );
      await sandbox.idle();
      const after = await client.getWebhookPayload(number);
      expect(after.kind === 'found' && valueIn(after.value, 'orderInvoiced')).toMatchObject({ number: '1' });
    });
  });

  it('registration and file of an invoice make an order 350, and the file has an address', async () => {
    const { number, id } = await merchant.buy();
    await merchant.with(async (client) => {
      expect(await client.getInvoice(id)).toEqual({ kind: 'not-found' });
      await client.putInvoiced(
        number,
        JSON.stringify({ number: '1', issuanceDate: '2026-11-20T13:15:00Z', value: 1_245 }),
      );
      await client.uploadInvoicePdf(id, { content: new Blob(['%PDF-1.4']), fileName: 'danfe.pdf' });
      await sandbox.idle();
      expect(await client.getOrderStatus(number)).toMatchObject({ kind: 'found', value: 350 });
      const file = await client.getInvoice(id);
      const [url = ''] = file.kind === 'found' ? file.value.urls : [];
      expect(await (await fetch(url)).text()).toBe('%PDF-1.4');
    });
  });

  it('a body that is wrong is refused with 400, an order that does not exist is a 500 (rule 17)', async () => {
    const { number } = await merchant.buy();
    await merchant.with(async (client) => {
      const invoice = { number: '', issuanceDate: '2026-11-20T13:15:00Z', value: 1 };
      expect(await client.putInvoiced(number, JSON.stringify(invoice))).toMatchObject({ kind: 'refused', status: 400 });
      const good = JSON.stringify({ ...invoice, number: '1' });
      expect(await client.putInvoiced('999999999', good)).toMatchObject({ kind: 'unknown', status: 500 });
      expect(client.openUntil('putInvoiced')).toBeNull();
    });
  });

  it('a second webhook is told as one that exists', async () => {
    const registration = { url: 'http://127.0.0.1:9/hook', authToken: 'a-token', eventTypes: ['Order_Updated'] };
    await merchant.with(async (client) => {
      expect(await client.registerWebhook(registration)).toMatchObject({ kind: 'registered' });
      expect(await client.registerWebhook(registration)).toMatchObject({ kind: 'exists' });
    });
  });

  it('files are listed by their place, and none is an empty list', async () => {
    await merchant.with(async (client) => {
      expect(await client.listFiles('4711-1', FILE_TYPES.SKU)).toMatchObject({ kind: 'found', value: [] });
      await client.uploadImages('4711-1', [image('second', 2), image('main', 1)]);
      await sandbox.idle();
      const listed = await client.listFiles('4711-1', FILE_TYPES.SKU);
      const urls = listed.kind === 'found' ? listed.value : [];
      expect(await Promise.all(urls.map(async (url) => (await fetch(url)).text()))).toEqual(['main', 'second']);
    });
  });

  it('wrong credentials are a matter of credentials, and a port where nobody listens one of the connection', async () => {
    const wrong = await merchant.with((client) => client.getProduct('4711'), { password: 'another' });
    expect(wrong).toMatchObject({ kind: 'unavailable', cause: 'credentials' });
    const nobody = await merchant.with((client) => client.getProduct('4711'), { baseUrl: 'http://127.0.0.1:9' });
    expect(nobody).toMatchObject({ kind: 'unavailable', cause: 'connection-refused' });
  });

  it('an answer that does not come in time is unknown, and the change is made nevertheless', async () => {
    const removal = await CHANGES.deleteBrands.prepare(merchant);
    const between = await TestServer.start(async ({ method, path, headers, body }) => {
      timeouts.timeOut();
      const { authorization = '', 'x-contractaccountid': account, 'content-type': type = '' } = headers;
      const passedOn = { authorization, 'x-contractaccountid': String(account), 'content-type': type };
      await fetch(`${sandbox.url}${path}`, { method, headers: passedOn, body });
    });
    const late = await merchant.with((client) => removal.ask(client), { baseUrl: between.url, timeoutMs: HELD_MS });
    expect(late).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    await waitFor(removal.isDone, { describe: 'the brand to go' });
    await between.stop();
  });
});
