import type { Core } from '../core/core.service.ts';
import type { Files } from '../files/files.service.ts';
import { badUpload, type FormUploads } from '../files/form-uploads.service.ts';
import { isFileType } from '../files/stored-file.ts';
import { badRequest } from '../http/http-error.ts';
import { route, type AnyRoute, type Call } from '../http/route.ts';
import type { Storefronts } from '../order-payload/storefronts.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import { RemovalBody, type ImageLinking, type ImageUpload } from './file-calls.ts';
import type { RemovedFiles } from './file-changes.service.ts';

export interface StorageRouteServices {
  readonly core: Core;
  readonly uploads: FormUploads;
  readonly files: Files;
  readonly storefronts: Storefronts;
  readonly switches: SwitchBoard;
  /** True if there is an SFTP server. */
  readonly hasDrop: boolean;
}

const A_GUID = '11111111-1111-4111-8111-111111111111';
const ACCEPTED = { operationId: A_GUID };
const OWNER = 'Reference of a SKU, or number of an order';
const IMAGES = {
  path: '/v1/Storages/image/upload',
  access: 'merchant',
  parameters: { externalReference: 'Reference of the SKU' },
  form: {
    type: 'object',
    properties: {
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
      fileNames: {
        type: 'array',
        items: { type: 'string' },
        description: 'In place of files: names of files that SFTP placed',
      },
      orders: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Display orders in the sequence of the files; 1 is the main image',
      },
    },
  },
  answer: ACCEPTED,
  errors: {
    400: 'No form, no reference, or no file where there is no SFTP server',
    413: 'Larger than UPLOAD_MAX_BYTES',
  },
} as const;

/** Images of a SKU, and the files of any entity (docs/platform.md, "Files"). */
export function storageRoutes(services: StorageRouteServices): AnyRoute[] {
  const { core, files, storefronts, switches } = services;
  const acceptImages = async (kind: string, { query, request, caller }: Call): Promise<unknown> => {
    const externalReference = query['externalReference'] ?? '';
    if (externalReference === '') throw badUpload('externalReference is missing');
    const upload = await services.uploads.receive(request, () => true);
    const orders = upload.fields.get('orders') ?? [];
    if (upload.files.length === 0 && kind === 'images' && services.hasDrop) {
      const { linkingKey } = switches.behaviour;
      const fileNames = linkingKey === null ? [] : (upload.fields.get(linkingKey) ?? []);
      const linking: ImageLinking = { externalReference, orders, fileNames };
      return core.accept(caller, 'images-linking', [linking]);
    }
    if (upload.files.length === 0) throw badUpload('The form has no part named files');
    const images: ImageUpload = { externalReference, orders, files: upload.files };
    return core.accept(caller, kind, [images], () => {
      for (const file of upload.files) files.accept(caller.contractAccountId, file);
    });
  };
  return [
    route({
      ...IMAGES,
      method: 'POST',
      queues: 'answer shown',
      summary: 'Uploads images of a SKU, or links those that SFTP placed',
      handle: (call) => acceptImages('images', call),
    }),
    route({
      ...IMAGES,
      method: 'DELETE',
      queues: 'answer not shown',
      summary: 'The same form again undoes the upload',
      handle: (call) => acceptImages('images-undo', call),
    }),
    route({
      method: 'GET',
      path: '/v1/Storages/file/:externalReference/:fileType',
      access: 'merchant',
      summary: 'URLs of files, in display order',
      parameters: {
        externalReference: OWNER,
        fileType: ['1 SKU, 2 Category, 3 Badge, 4 Invoice, 5 Product', { enum: [1, 2, 3, 4, 5] }],
      },
      answer: ['http://127.0.0.1:8090/files/…/frente.png'],
      errors: { 400: 'No such file type' },
      handle: ({ params: { externalReference = '', fileType: code = '' }, caller }) => {
        const fileType = Number(code);
        if (!/^\d$/.test(code) || !isFileType(fileType)) throw badRequest('FILE_TYPE', 'fileType must be 1 to 5');
        const found = files.attached(caller.contractAccountId, { externalReference, fileType });
        return found.map((file) => storefronts.urlOf(file));
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/Storages/file/:externalReference',
      access: 'merchant',
      queues: 'answer not shown',
      summary: 'Removes files by URL or id',
      parameters: { externalReference: OWNER },
      body: RemovalBody,
      example: { fileType: 1, storageIds: [A_GUID] },
      answer: ACCEPTED,
      errors: { 400: 'fileType is missing, or both lists are' },
      handle: ({ params: { externalReference = '' }, body, caller }) => {
        const removed: RemovedFiles = { externalReference, ...body };
        return core.accept(caller, 'file-removal', [removed]);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/Storages/delete/:entityId',
      access: 'merchant',
      queues: 'answer not shown',
      summary: 'Removes all files of an entity',
      parameters: { entityId: ['GUID of a SKU or an order', { type: 'string', format: 'uuid' }] },
      answer: ACCEPTED,
      handle: ({ params: { entityId = '' }, caller }) => {
        const removed: RemovedFiles = { entityId: entityId.toLowerCase() };
        return core.accept(caller, 'file-removal', [removed]);
      },
    }),
  ];
}
