import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PlatformClient } from './platform-client.ts';
import { type RouteName, ROUTES } from './routes.ts';
import type { AskedBy } from './answers.ts';
import type { ChangingRoute, LeftOutChange } from './shadow.ts';
import type { CallObservation } from './tenant-caller.ts';
import { DEFAULT_WIRE_PROFILE } from './wire-profile.ts';

const BYTES = Buffer.from('not really a picture');
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const content = {
  size: BYTES.length,
  stream: async function* () {
    yield BYTES;
  },
};
const image = { content, fileName: '1078-1_1.png', mediaType: 'image/png', order: 1 } as const;

let server: Server;
let requests: string[];
let leftOut: LeftOutChange[];
let observed: CallObservation[];
let client: PlatformClient;

beforeEach(async () => {
  askedBy = [{ commandId: 'c-1', cameAt: POINT - 1, entity: '100001' }];
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end('400');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  leftOut = [];
  observed = [];
  client = new PlatformClient({
    tenant: 'acme',
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    baseUrl,
    coreBaseUrl: baseUrl,
    username: 'erp-one',
    password: 'segredo',
    coreApiKey: 'key',
    concurrency: 1,
    profile: DEFAULT_WIRE_PROFILE,
    observe: (observation) => observed.push(observation),
    shadow: {
      leavesOut: (cameAt) => (cameAt ?? POINT - 1) < POINT,
      store: async (changes) => void leftOut.push(...changes),
    },
  });
});

afterEach(async () => {
  await client.close();
  server.close();
});

/** The tenant is live from this time on. */
const POINT = Date.parse('2026-12-01T06:00:00Z');

let askedBy: readonly [AskedBy];

/** A call of every route that changes something; a new one does not compile until it is here. */
const CALLS: Readonly<Record<ChangingRoute, () => Promise<{ readonly kind: string }>>> = {
  postBrands: () => client.sendRecords('postBrands', '[{"externalReference":"b"}]', { askedBy }),
  deleteBrands: () => client.sendRecords('deleteBrands', '["b"]', { askedBy }),
  postCategories: () => client.sendRecords('postCategories', '[{"externalReference":"c"}]', { askedBy }),
  postProducts: () => client.sendRecords('postProducts', '[{"externalReference":"p"}]', { askedBy }),
  postPrices: () => client.sendRecords('postPrices', '[{"price":18.90}]', { askedBy }),
  postWarehouses: () => client.sendRecords('postWarehouses', '[{}]', { askedBy }),
  postStock: () => client.sendRecords('postStock', '[{}]', { askedBy }),
  patchOrderStatus: () => client.patchOrderStatus('100001', 'SHIPPED', { askedBy }),
  putOrder: () => client.putOrder('100001', '{"finalOrderPrice":60.27}', { askedBy }),
  putInvoiced: () => client.putInvoiced('100001', '{"number":"1"}', { askedBy }),
  cancelOrder: () => client.cancelOrder('100001', 'sem estoque', { askedBy }),
  uploadImages: () => client.uploadImages('1078-1', [image], { askedBy }),
  linkImages: () => client.linkImages('1078-1', [image], { askedBy }),
  undoImages: () => client.undoImages('1078-1', [image], { askedBy }),
  removeFiles: () => client.removeFiles('1078-1', { fileType: FILE_TYPES.SKU, urls: ['http://a/1.png'] }, { askedBy }),
  removeAllFiles: () => client.removeAllFiles('1078-1', { askedBy }),
  uploadInvoicePdf: () => client.uploadInvoicePdf('guid', { content, fileName: '100001.pdf' }, { askedBy }),
  registerWebhook: () => client.registerWebhook({ url: 'https://a.example.com', authToken: 't', eventTypes: [] }),
};

describe('the client of a tenant in shadow', () => {
  it('sends nothing on any route that is no GET, and answers as the platform does', async () => {
    const changing = Object.keys(ROUTES).filter((route) => ROUTES[route as RouteName].method !== 'GET');
    expect(Object.keys(CALLS).toSorted()).toEqual(changing.toSorted());
    for (const [route, call] of Object.entries(CALLS)) {
      const answer = await call();
      expect([route, answer.kind]).toEqual([route, route === 'registerWebhook' ? 'registered' : 'accepted']);
    }
    expect(requests).toEqual([]);
    expect(leftOut.map(({ route }) => route)).toEqual(Object.keys(CALLS));
    expect(observed.map(({ kind, status }) => [kind, status])).toEqual(changing.map(() => ['shadow', null]));
  });

  it('sends what came from the point on, on every route of a command, and never a part of a batch', async () => {
    askedBy = [{ ...askedBy[0], cameAt: POINT }];
    const { registerWebhook: _, ...ofCommands } = CALLS;
    for (const call of Object.values(ofCommands)) await call();
    expect(requests).toHaveLength(Object.keys(ofCommands).length);
    expect(leftOut).toEqual([]);
    const mixed = [askedBy[0], { ...askedBy[0], cameAt: POINT - 1 }];
    await expect(client.sendRecords('postPrices', '[{},{}]', { askedBy: mixed })).rejects.toThrow('share a call');
  });

  it('reads', async () => {
    expect(await client.getOrderStatus('100001')).toMatchObject({ kind: 'found', value: 400 });
    expect(requests).toEqual(['GET /v1/Orders/100001/status']);
    expect(leftOut).toEqual([]);
  });

  it('hands over each record of a batch with its command, digit for digit', async () => {
    const records = [
      { commandId: 'c-1', entity: '1078-1' },
      { commandId: 'c-2', entity: '1147-1' },
    ];
    const asking = records.map((each) => ({ ...each, cameAt: POINT - 1 }));
    await client.sendRecords('postPrices', '[{"price":18.90},{"price":14.50}]', { askedBy: asking });
    const route = { tenant: 'acme', route: 'postPrices' };
    expect(leftOut).toEqual([
      { ...route, ...records[0], body: '{"price":18.90}' },
      { ...route, ...records[1], body: '{"price":14.50}' },
    ]);
  });

  it('hands over a file as its size and hash', async () => {
    await CALLS.uploadImages();
    await CALLS.uploadImages();
    const [first, again] = leftOut;
    const file = {
      name: 'files',
      fileName: image.fileName,
      mediaType: 'image/png',
      size: BYTES.length,
      sha256: SHA256,
    };
    expect(JSON.parse(first!.body!)).toEqual([{ name: 'orders', text: '1' }, file]);
    expect(again).toEqual(first);
  });

  it('takes a change that cannot be handed over for a lost one', async () => {
    const away = new PlatformClient({
      tenant: 'acme',
      contractAccountId: 'acme',
      baseUrl: 'http://127.0.0.1:1',
      coreBaseUrl: 'http://127.0.0.1:1',
      username: 'a',
      password: 'b',
      concurrency: 1,
      profile: DEFAULT_WIRE_PROFILE,
      shadow: {
        leavesOut: () => true,
        store: async () => {
          throw new Error('The database is away');
        },
      },
    });
    await expect(away.patchOrderStatus('1', 'SHIPPED')).rejects.toThrow('The database is away');
    await away.close();
  });
});
