import type { Core } from '../core/core.service.ts';
import type { Files } from '../files/files.service.ts';
import { badUpload, type FormUploads } from '../files/form-uploads.service.ts';
import { badRequest, internal, notFound, type HttpError } from '../http/http-error.ts';
import { Raw, jsonText, route, type AnyRoute } from '../http/route.ts';
import type { Storefronts } from '../order-payload/storefronts.service.ts';
import { InvoiceBody } from '../orders/invoice.ts';
import { orderNumberOf } from '../orders/order-number.ts';
import type { Orders } from '../orders/orders.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { InvoiceAttachment, InvoiceRegistration } from './order-changes.service.ts';

export interface InvoiceRouteServices {
  readonly core: Core;
  readonly uploads: FormUploads;
  readonly files: Files;
  readonly orders: Orders;
  readonly storefronts: Storefronts;
  readonly switches: SwitchBoard;
}

const PDF = 'application/pdf';
const A_GUID = '11111111-1111-4111-8111-111111111111';
const ORDER_ID = { orderId: 'GUID of the order, not its number' };

/** Data and file of an order's invoice (docs/platform.md, "Invoice registration"; "Files"; Errors). */
export function invoiceRoutes({
  core,
  uploads,
  files,
  orders,
  storefronts,
  switches,
}: InvoiceRouteServices): AnyRoute[] {
  return [
    route({
      method: 'PUT',
      path: '/v1/Orders/invoiced/:orderNumber',
      access: 'merchant',
      queues: 'answer shown',
      summary: 'Registers an invoice; value in cents, a fraction is cut off',
      body: InvoiceBody,
      example: { number: '4321', issuanceDate: '2026-11-20T13:15:00Z', value: 1245 },
      answer: { transactionId: A_GUID },
      errors: { 400: 'The body is wrong', 500: 'Any failure, an order that does not exist included' },
      // 500 for an order that does not exist, indistinguishable from any other failure.
      handle: ({ params, body: invoice, caller }) => {
        const order = orders.ofMerchant(caller, orderNumberOf(params['orderNumber'] ?? ''));
        if (order === undefined) throw internal();
        const registration: InvoiceRegistration = { orderNumber: order.number, invoice };
        return { transactionId: core.accept(caller, 'invoice-registration', [registration]).operationId };
      },
    }),
    route({
      method: 'POST',
      path: '/v1/Storages/invoice/upload',
      access: 'merchant',
      queues: 'answer not shown',
      summary: 'Attaches the PDF of an invoice',
      parameters: ORDER_ID,
      form: { type: 'object', required: ['files'], properties: { files: { type: 'string', format: 'binary' } } },
      answer: { operationId: A_GUID },
      errors: { 400: 'Apenas arquivos PDF são permitidos', 413: 'Larger than UPLOAD_MAX_BYTES' },
      handle: async ({ query: { orderId = '' }, request, caller }) => {
        const [sentType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1);
        if (sentType.trim() !== 'multipart/form-data') {
          throw sentType.trim() === PDF ? badUpload('The PDF must be sent as multipart/form-data') : onlyPdf();
        }
        if (orderId === '') throw badUpload('orderId is missing');
        const upload = await uploads.receive(request, (mediaType) => mediaType === PDF);
        const [file, ...others] = upload.files;
        if (upload.unwanted.length > 0 || file === undefined || others.length > 0) {
          await uploads.discard(upload);
          throw upload.unwanted.length > 0 ? onlyPdf() : badUpload('The form must have one part named files');
        }
        const attachment: InvoiceAttachment = { orderId, file };
        return core.accept(caller, 'invoice-file', [attachment], () => files.accept(caller.contractAccountId, file));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/Storages/invoice',
      access: 'merchant',
      isAnswerOpen: true,
      summary: 'The attached invoice',
      parameters: ORDER_ID,
      answer: { url: 'http://127.0.0.1:8090/files/…/nota.pdf', fileName: 'nota.pdf', contentType: PDF, size: 1024 },
      errors: { 404: 'There is no invoice' },
      handle: ({ query: { orderId }, caller }) => {
        const order = orderId === undefined ? undefined : orders.find({ id: orderId });
        const file = order?.contractAccountId === caller.contractAccountId ? order.invoiceFile : null;
        if (file === null) throw notFound('INVOICE_UNKNOWN', 'There is no invoice');
        const url = storefronts.urlOf(file);
        const { fileName, mediaType, size } = file;
        switch (switches.behaviour.invoiceAnswer) {
          case 'url':
            return { url, fileName, contentType: mediaType, size };
          case 'list':
            return [url];
          case 'text':
            return jsonText(JSON.stringify(url));
          default:
            return new Raw(files.read(file.id), mediaType, size);
        }
      },
    }),
  ];
}

function onlyPdf(): HttpError {
  return badRequest('NOT_PDF', 'Apenas arquivos PDF são permitidos');
}
