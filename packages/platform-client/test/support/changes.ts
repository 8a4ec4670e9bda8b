import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { RouteName } from '../../src/routes.ts';
import type { ImageUpload } from '../../src/multipart.ts';
import type { PlatformClient } from '../../src/platform-client.ts';
import { pickingBody } from '../../src/wire-bodies.ts';
import { DEFAULT_WIRE_PROFILE } from '../../src/wire-profile.ts';
import { brand, product, type Merchant } from './merchant.ts';

export type ReadingRoute =
  | 'getProduct'
  | 'getOrderStatus'
  | 'getWebhookPayload'
  | 'listFiles'
  | 'getInvoice'
  | 'getOrderDetails';
/**
 * All changing routes except `linkImages`, for which SFTP has to transfer files first; file-gateway's suites test
 * it.
 */
export type ChangingRoute = Exclude<RouteName, ReadingRoute | 'linkImages'>;

/** A change that is ready to be made: its call, and a check that the platform has applied it. */
export interface Change {
  readonly ask: (client: PlatformClient) => Promise<{ readonly kind: string }>;
  readonly isDone: () => Promise<boolean>;
}

export interface ChangeOfRoute {
  /** Regular expression for the sandbox's faults. */
  readonly route: string;
  /** Creates the data that the change requires. */
  readonly prepare: (merchant: Merchant) => Promise<Change>;
}

const INVOICE = { number: '000123', issuanceDate: '2026-11-20T13:15:00Z', value: 1_245 };

/** Every route that changes something; a missing route does not compile. */
export const CHANGES: Readonly<Record<ChangingRoute, ChangeOfRoute>> = {
  postBrands: {
    route: '^POST /v1/batch/Brands$',
    prepare: async (merchant) => ({
      ask: (client) => client.sendRecords('postBrands', JSON.stringify([brand('nova marca')])),
      isDone: async () => (await merchant.shown('brands', 'nova marca')) !== undefined,
    }),
  },
  deleteBrands: {
    route: '^DELETE /v1/batch/Brands$',
    prepare: async (merchant) => ({
      ask: (client) => client.sendRecords('deleteBrands', JSON.stringify(['queijaria'])),
      isDone: async () => (await merchant.shown('brands', 'queijaria')) === undefined,
    }),
  },
  postCategories: {
    route: '^POST /v1/batch/Categories$',
    prepare: async (merchant) => {
      const tree = {
        externalReference: 'frios',
        name: 'Frios',
        children: [{ externalReference: 'queijos', name: 'Queijos' }],
      };
      return {
        ask: (client) => client.sendRecords('postCategories', JSON.stringify([tree])),
        isDone: async () => (await merchant.shown('categories', 'queijos')) !== undefined,
      };
    },
  },
  postProducts: {
    route: '^POST /v1/batch/Products$',
    prepare: async (merchant) => ({
      ask: (client) => client.sendRecords('postProducts', JSON.stringify([product('a/b #1?')])),
      isDone: async () => (await merchant.shown('products', 'a/b #1?')) !== undefined,
    }),
  },
  postPrices: {
    route: '^POST /v1/batch/Pricing$',
    prepare: async (merchant) => ({
      ask: (client) =>
        client.sendRecords('postPrices', JSON.stringify([{ skuId: 's', commercialPolicyId: 'p', price: 1 }])),
      isDone: async () => (await merchant.records('SKUPricing')) > 0,
    }),
  },
  postWarehouses: {
    route: '^POST /v1/batch/Warehouses$',
    prepare: async (merchant) => ({
      ask: (client) => client.sendRecords('postWarehouses', JSON.stringify([{ id: 'cd-01' }])),
      isDone: async () => (await merchant.records('Warehouse')) > 0,
    }),
  },
  postStock: {
    route: '^POST /v1/batch/Warehouses/sku$',
    prepare: async (merchant) => ({
      ask: (client) => client.sendRecords('postStock', JSON.stringify([{ skuId: 's', quantity: 1 }])),
      isDone: async () => (await merchant.records('WarehouseSKU')) > 0,
    }),
  },
  patchOrderStatus: {
    route: '^PATCH /v1/Orders/\\d+/status$',
    prepare: ofOrder(({ number }) => ({
      ask: (client) => client.patchOrderStatus(number, 'ORDER_BEING_PREPARED'),
      isDone: ({ status }) => status === 400,
    })),
  },
  putOrder: {
    route: '^PUT /v1/Orders/\\d+$',
    prepare: ofOrder(({ number }) => ({
      ask: (client) => client.putOrder(number, pickingBody(DEFAULT_WIRE_PROFILE, PICKED)),
      isDone: ({ totals }) => totals.total === 11.97,
    })),
  },
  putInvoiced: {
    route: '^PUT /v1/Orders/invoiced/\\d+$',
    prepare: ofOrder(({ number }) => ({
      ask: (client) => client.putInvoiced(number, JSON.stringify(INVOICE)),
      isDone: ({ invoice }) => invoice?.number === INVOICE.number && invoice.value === INVOICE.value,
    })),
  },
  cancelOrder: {
    route: '^POST /v1/Orders/\\d+/cancel$',
    prepare: ofOrder(({ number }) => ({
      ask: (client) => client.cancelOrder(number, 'cliente desistiu'),
      isDone: ({ status }) => status === 800,
    })),
  },
  uploadInvoicePdf: {
    route: '^POST /v1/Storages/invoice/upload$',
    prepare: ofOrder(({ id }) => ({
      ask: (client) => client.uploadInvoicePdf(id, { content: new Blob(['%PDF-1.4']), fileName: 'danfe.pdf' }),
      isDone: ({ invoiceFile }) => invoiceFile?.contentType === 'application/pdf',
    })),
  },
  uploadImages: {
    route: '^POST /v1/Storages/image/upload$',
    prepare: async (merchant) => ({
      ask: (client) => client.uploadImages('4711-1', [image('second', 2), image('main', 1)]),
      isDone: async () => (await merchant.images()).join() === '4711-1 1,4711-1 2',
    }),
  },
  removeFiles: {
    route: '^DELETE /v1/Storages/file/',
    prepare: async (merchant) => {
      const urls = await merchant.with(async (client) => {
        await client.uploadImages('4711-2', [image('main', 1), image('second', 2)]);
        await merchant.sandbox.idle();
        const listed = await client.listFiles('4711-2', FILE_TYPES.SKU);
        return listed.kind === 'found' ? listed.value : [];
      });
      return {
        ask: (client) => client.removeFiles('4711-2', { fileType: FILE_TYPES.SKU, urls: urls.slice(0, 1) }),
        isDone: async () => (await merchant.images()).join() === '4711-2 2',
      };
    },
  },
  undoImages: {
    route: '^DELETE /v1/Storages/image/upload$',
    prepare: async (merchant) => {
      await merchant.with(async (client) => {
        await client.uploadImages('4711-1', [image('main', 1), image('second', 2)]);
        await merchant.sandbox.idle();
      });
      return {
        ask: (client) => client.undoImages('4711-1', [image('second', 2)]),
        isDone: async () => (await merchant.images()).join() === '4711-1 1',
      };
    },
  },
  removeAllFiles: {
    route: '^DELETE /v1/Storages/delete/',
    prepare: async (merchant) => {
      const { number, id } = await merchant.buy();
      await merchant.with(async (client) => {
        await client.uploadInvoicePdf(id, { content: new Blob(['%PDF-1.4']), fileName: 'danfe.pdf' });
        await merchant.sandbox.idle();
      });
      return {
        ask: (client) => client.removeAllFiles(id),
        isDone: async () => (await merchant.order(number)).invoiceFile === null,
      };
    },
  },
  registerWebhook: {
    route: '^POST /v1/Webhooks$',
    prepare: async (merchant) => {
      const { contractAccountId, sandbox } = merchant;
      const registration = { url: 'http://127.0.0.1:9/hook', authToken: 'a-token', eventTypes: ['Order_Updated'] };
      return {
        ask: (client) => client.registerWebhook(registration),
        isDone: async () => {
          const sent = sandbox.admin('POST', '/send-raw', { contractAccountId, bodyBase64: '' });
          return sent.then(
            () => true,
            () => false,
          );
        },
      };
    },
  },
};

const PICKED = {
  finalOrderPrice: 11.97,
  items: [
    {
      skuExternalReference: '4711-1',
      line: undefined,
      outcome: 'picked',
      substitutes: undefined,
      quantity: 0.3,
      unitOfMeasure: 'Kg',
      price: 39.9,
      total: 11.97,
    },
  ],
} as const;

/** A change of an order that was just placed. */
function ofOrder(
  changeOf: (order: { readonly number: string; readonly id: string }) => {
    readonly ask: Change['ask'];
    readonly isDone: (order: Awaited<ReturnType<Merchant['order']>>) => boolean;
  },
): ChangeOfRoute['prepare'] {
  return async (merchant) => {
    const sold = await merchant.buy();
    const { ask, isDone } = changeOf(sold);
    return { ask, isDone: async () => isDone(await merchant.order(sold.number)) };
  };
}

export function image(name: string, order: number): ImageUpload {
  return { content: new Blob([name]), fileName: `${name}.png`, mediaType: 'image/png', order };
}

/** A value in an answer's JSON text, by a path with dots. */
export function valueIn(text: string, path: string): unknown {
  const record = JSON.parse(stringifyWithDigits(parseWithDigits(text))) as Record<string, unknown>;
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], record);
}
