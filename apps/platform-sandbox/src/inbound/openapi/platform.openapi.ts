import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { A_GUID } from './admin-schemas.ts';
import {
  ANYTHING,
  GUID,
  INTEGER,
  SOME_OBJECT,
  TEXT,
  inPath,
  inQuery,
  listOf,
  object,
  operation,
  type OperationOptions,
} from './operation.ts';

/**
 * The routes of the platform, as the sandbox has them in its defaults. Bodies are what the document shows; nothing more
 * is checked.
 */

const INTEGRATION = ['basic', 'contractAccountId'];
const NO_CREDENTIALS = 'Credentials or x-contractAccountId are missing or wrong';
const REFUSED = { 401: NO_CREDENTIALS };

const orderNumber = inPath('orderNumber', 'Number of the order', INTEGER);
const skuReference = inQuery('externalReference', 'Reference of the SKU');
const orderId = inQuery('orderId', 'GUID of the order, not its number');

const OPERATION: readonly [object, unknown] = [object({ operationId: GUID }), { operationId: A_GUID }];
const IMAGES = {
  type: 'object',
  required: ['files'],
  properties: {
    files: listOf({ type: 'string', format: 'binary' }),
    orders: { ...listOf(INTEGER), description: 'Display orders in the sequence of the files; 1 is the main image' },
  },
};

function accepted(options: Omit<OperationOptions, 'answer' | 'security'>): object {
  return operation({ answer: OPERATION, ...options, security: INTEGRATION, errors: { ...REFUSED, ...options.errors } });
}

function read(options: OperationOptions): object {
  return operation({ ...options, security: INTEGRATION, errors: { ...REFUSED, ...options.errors } });
}

const NOT_JSON = { 400: 'The body is not JSON' };
const batch = (summary: string, example: unknown): object =>
  accepted({ summary, body: [ANYTHING, example], errors: NOT_JSON });

export const PLATFORM_OPENAPI: OpenApiPart = {
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic' },
    contractAccountId: {
      type: 'apiKey',
      in: 'header',
      name: 'x-contractAccountId',
      description: 'GUID of the merchant',
    },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'Of the core service' },
  },
  paths: {
    '/v1/batch/Brands': {
      post: batch('Brands', [
        {
          externalReference: 'queijaria',
          name: 'Queijaria',
          title: 'Queijaria',
          description: 'Queijos',
          punctuation: 5,
        },
      ]),
      delete: batch('Removes brands by their references', ['queijaria']),
    },
    '/v1/batch/Categories': {
      post: batch('Categories, as trees', [{ externalReference: 'frios', name: 'Frios', children: [] }]),
    },
    '/v1/batch/Products': {
      post: read({
        summary: 'Products with their SKUs; only keys that are present change',
        body: [ANYTHING, [{ externalReference: '4711', active: false }]],
        answer: [{ ...GUID, description: 'The operation id, without an envelope' }, A_GUID],
        errors: { 500: 'The body is not JSON; 400 never occurs' },
      }),
      delete: operation({
        summary: 'Obsolete: always fails',
        status: 500,
        answer: [
          { $ref: '#/components/schemas/Error' },
          { error: { code: 'OBSOLETE', message: 'This method is obsolete.' } },
        ],
        security: INTEGRATION,
      }),
    },
    '/v1/batch/Products/{externalReference}': {
      get: read({
        summary: 'The read model of a product',
        parameters: [inPath('externalReference', 'Reference of the product')],
        answer: [SOME_OBJECT, { externalReference: '4711', commercialPoliticId: A_GUID, skus: [] }],
        errors: { 404: 'There is no such product' },
      }),
    },
    '/v1/batch/Pricing': { post: batch('Prices', [{ skuId: A_GUID, commercialPolicyId: A_GUID }]) },
    '/v1/batch/Warehouses': { post: batch('Warehouses', [{ id: 'cd-01' }]) },
    '/v1/batch/Warehouses/sku': { post: batch('Stock of SKUs in warehouses', [{}]) },
    '/v1/Storages/image/upload': {
      post: accepted({
        summary: 'Uploads images of a SKU',
        parameters: [skuReference],
        form: IMAGES,
        errors: { 400: 'No form, no file or no reference', 413: 'Larger than UPLOAD_MAX_BYTES' },
      }),
      delete: accepted({
        summary: 'The same form again undoes the upload',
        parameters: [skuReference],
        form: IMAGES,
        errors: { 400: 'No form, no file or no reference', 413: 'Larger than UPLOAD_MAX_BYTES' },
      }),
    },
    '/v1/Storages/file/{externalReference}/{fileType}': {
      get: read({
        summary: 'URLs of files, in display order',
        parameters: [
          inPath('externalReference', 'Reference of a SKU, or number of an order'),
          inPath('fileType', '1 SKU, 2 Category, 3 Badge, 4 Invoice, 5 Product', { enum: [1, 2, 3, 4, 5] }),
        ],
        answer: [listOf(TEXT), ['http://127.0.0.1:8090/files/…/frente.png']],
        errors: { 400: 'No such file type' },
      }),
    },
    '/v1/Storages/file/{externalReference}': {
      delete: accepted({
        summary: 'Removes files by URL or id',
        parameters: [inPath('externalReference', 'Reference of a SKU, or number of an order')],
        body: [
          {
            type: 'object',
            required: ['fileType'],
            properties: { fileType: INTEGER, urls: listOf(TEXT), storageIds: listOf(TEXT) },
          },
          { fileType: 1, storageIds: [A_GUID] },
        ],
        errors: { 400: 'fileType is missing, or both lists are' },
      }),
    },
    '/v1/Storages/delete/{entityId}': {
      delete: accepted({
        summary: 'Removes all files of an entity',
        parameters: [inPath('entityId', 'GUID of a SKU or an order', GUID)],
      }),
    },
    '/v1/Storages/invoice/upload': {
      post: accepted({
        summary: 'Attaches the PDF of an invoice',
        parameters: [orderId],
        form: { type: 'object', required: ['files'], properties: { files: { type: 'string', format: 'binary' } } },
        errors: { 400: 'Apenas arquivos PDF são permitidos', 413: 'Larger than UPLOAD_MAX_BYTES' },
      }),
    },
    '/v1/Storages/invoice': {
      get: read({
        summary: 'The attached invoice',
        parameters: [orderId],
        answer: [
          object({ url: TEXT, fileName: TEXT, contentType: TEXT, size: INTEGER }),
          {
            url: 'http://127.0.0.1:8090/files/…/nota.pdf',
            fileName: 'nota.pdf',
            contentType: 'application/pdf',
            size: 1024,
          },
        ],
        errors: { 404: 'There is no invoice' },
      }),
    },
    '/v1/Orders/{orderNumber}': {
      put: accepted({
        summary: 'Reports picked items and the final price',
        parameters: [orderNumber],
        body: [
          SOME_OBJECT,
          {
            finalOrderPrice: 12.45,
            items: [
              { skuExternalReference: '4711-1', quantity: 0.312, unitOfMeasure: 'Kg', price: 39.9, total: 12.45 },
            ],
          },
        ],
        errors: NOT_JSON,
      }),
    },
    '/v1/orders/': {
      put: accepted({
        summary: 'The same, with orderNumber in the body',
        body: [SOME_OBJECT, { orderNumber: 100234, finalOrderPrice: 12.45 }],
        errors: NOT_JSON,
      }),
    },
    '/v1/Orders/invoiced/{orderNumber}': {
      put: read({
        summary: 'Registers an invoice; value in cents, a fraction is cut off',
        parameters: [orderNumber],
        body: [
          object({ number: TEXT, issuanceDate: TEXT, value: INTEGER }),
          { number: '4321', issuanceDate: '2026-11-20T13:15:00Z', value: 1245 },
        ],
        answer: [object({ transactionId: GUID }), { transactionId: A_GUID }],
        errors: { 400: 'The body is wrong', 500: 'Any failure, an order that does not exist included' },
      }),
    },
    '/v1/Orders/{orderNumber}/status': {
      patch: accepted({
        summary: 'Sets the status by name',
        parameters: [orderNumber],
        body: [object({ status: TEXT }), { status: 'ORDER_BEING_PREPARED' }],
        errors: { 400: 'The body names no status; an unknown name is refused later, by Order_StatusUpdateFailed' },
      }),
      get: read({
        summary: 'The status of an order',
        parameters: [orderNumber],
        answer: [object({ status: INTEGER }), { status: 400 }],
        errors: { 404: 'There is no such order' },
      }),
    },
    '/v1/Orders/{orderNumber}/cancel': {
      post: accepted({
        summary: 'Asks for a cancellation',
        parameters: [orderNumber],
        body: [ANYTHING, { reason: 'Desistência' }],
        errors: NOT_JSON,
      }),
    },
    '/v1/Orders/{orderNumber}/webhook-payload': {
      get: read({
        summary: 'The payload that a webhook would carry',
        parameters: [orderNumber, inQuery('version', '2 selects v2; v1 is the default')],
        answer: [SOME_OBJECT, { id: A_GUID, number: 100234, status: 300 }],
        errors: { 404: 'There is no such order, or it is below status 250' },
      }),
    },
    '/v2/Orders/{orderNumber}/webhook-payload': {
      get: read({
        summary: 'The v2 payload, where the switch payloadVersion is path; else a 404',
        parameters: [orderNumber],
        answer: [SOME_OBJECT, { contractAccountId: A_GUID, eventType: 14, number: 100234, status: 300 }],
        errors: { 404: 'There is no such order or route' },
      }),
    },
    '/v1/gateway/orders/{id}/details': {
      get: operation({
        summary: 'The core’s details of an order; unitOfMeasure is a number',
        parameters: [inPath('id', 'GUID or number of the order')],
        answer: [SOME_OBJECT, { id: A_GUID, number: 100234, items: [{ unitOfMeasure: 2 }] }],
        security: ['apiKey'],
        errors: { 401: 'X-API-KEY is missing or unknown', 404: 'There is no such order' },
      }),
    },
    '/v1/Webhooks': {
      post: read({
        summary: 'Registers the one webhook of a merchant',
        body: [
          {
            type: 'object',
            required: ['originType', 'originData', 'url'],
            properties: {
              originType: { enum: ['User', 'Api_call', 1, 2] },
              originData: TEXT,
              url: TEXT,
              authType: TEXT,
              authToken: TEXT,
              eventTypes: listOf(TEXT),
            },
          },
          {
            originType: 'Api_call',
            originData: 'gondola',
            url: 'https://erp.example.com/webhooks/platform',
            authType: 'Bearer',
            authToken: 'token',
            eventTypes: ['Order_Updated'],
          },
        ],
        answer: [object({ id: GUID, url: TEXT }), { id: A_GUID, url: 'https://erp.example.com/webhooks/platform' }],
        errors: { 400: 'A field or x-contractAccountId is wrong', 409: 'There is one already' },
      }),
    },
    '/files/{id}/{name}': {
      get: operation({
        summary: 'A file, where the URLs of files lead',
        parameters: [inPath('id', 'Storage id', GUID), inPath('name', 'For people only')],
        binary: true,
        security: [],
        errors: { 404: 'There is no such file' },
      }),
    },
  },
};
