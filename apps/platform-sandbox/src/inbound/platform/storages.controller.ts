import {
  BadRequestException,
  Controller,
  Delete,
  Get,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AcceptOperation, type Accepted } from '../../application/accept-operation.ts';
import { FileStore } from '../../application/file-store.ts';
import type { RemovedFiles } from '../../application/file.steps.ts';
import { Storefronts } from '../../application/storefronts.ts';
import type { Json } from '../../domain/exact-json.ts';
import { readRemoval, type ImageUpload } from '../../domain/files/file-calls.ts';
import { isFileType } from '../../domain/files/stored-file.ts';
import { FilesRepository } from '../../outbound/files.repository.ts';
import { JsonBody, valid } from '../http/body.decorator.ts';
import { Describe, type Description } from '../openapi/describe.decorator.ts';
import { A_GUID, GUID, INTEGER, TEXT, listOf } from '../openapi/schemas.ts';
import { CurrentCaller, type Caller } from './caller.decorator.ts';
import { FormUploads, badUpload } from './form-uploads.ts';
import { IntegrationRoutes, Queues } from './integration-routes.decorator.ts';

const IMAGES: Omit<Description, 'summary'> = {
  parameters: { externalReference: 'Reference of the SKU' },
  form: {
    type: 'object',
    required: ['files'],
    properties: {
      files: listOf({ type: 'string', format: 'binary' }),
      orders: { ...listOf(INTEGER), description: 'Display orders in the sequence of the files; 1 is the main image' },
    },
  },
  errors: { 400: 'No form, no file or no reference', 413: 'Larger than UPLOAD_MAX_BYTES' },
};
const OWNER = 'Reference of a SKU, or number of an order';

/** Images of a SKU, and the files of any entity (docs/platform.md, "Files"). */
@IntegrationRoutes('v1/Storages')
export class StoragesController {
  constructor(
    private readonly core: AcceptOperation,
    private readonly uploads: FormUploads,
    private readonly files: FilesRepository,
    private readonly storefronts: Storefronts,
  ) {}

  @Post('image/upload')
  @Queues('answer shown', { summary: 'Uploads images of a SKU', ...IMAGES })
  async upload(
    @Query('externalReference') externalReference: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    return this.acceptImages('images', externalReference, request, caller);
  }

  @Delete('image/upload')
  @Queues('answer not shown', { summary: 'The same form again undoes the upload', ...IMAGES })
  async undo(
    @Query('externalReference') externalReference: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    return this.acceptImages('images-undo', externalReference, request, caller);
  }

  /** In their display order; none is an empty list. */
  @Get('file/:externalReference/:fileType')
  @Describe({
    summary: 'URLs of files, in display order',
    parameters: {
      externalReference: OWNER,
      fileType: ['1 SKU, 2 Category, 3 Badge, 4 Invoice, 5 Product', { enum: [1, 2, 3, 4, 5] }],
    },
    answer: [listOf(TEXT), ['http://127.0.0.1:8090/files/…/frente.png']],
    errors: { 400: 'No such file type' },
  })
  async list(
    @Param('externalReference') externalReference: string,
    @Param('fileType') code: string,
    @CurrentCaller() { contractAccountId }: Caller,
  ): Promise<string[]> {
    const fileType = Number(code);
    if (!/^\d$/.test(code) || !isFileType(fileType)) {
      throw new BadRequestException({ code: 'FILE_TYPE', message: 'fileType must be 1 to 5' });
    }
    const files = await this.files.attached({ contractAccountId, externalReference, fileType });
    return files.map((file) => this.storefronts.urlOf(file));
  }

  @Delete('file/:externalReference')
  @Queues('answer not shown', {
    summary: 'Removes files by URL or id',
    parameters: { externalReference: OWNER },
    body: [
      {
        type: 'object',
        required: ['fileType'],
        properties: { fileType: INTEGER, urls: listOf(TEXT), storageIds: listOf(TEXT) },
      },
      { fileType: 1, storageIds: [A_GUID] },
    ],
    errors: { 400: 'fileType is missing, or both lists are' },
  })
  async removeSome(
    @Param('externalReference') externalReference: string,
    @JsonBody() body: Json,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    const removed: RemovedFiles = { externalReference, ...valid(readRemoval(body), 'REMOVAL_INVALID') };
    return this.core.accept(caller, 'file-removal', [removed]);
  }

  @Delete('delete/:entityId')
  @Queues('answer not shown', {
    summary: 'Removes all files of an entity',
    parameters: { entityId: ['GUID of a SKU or an order', GUID] },
  })
  async removeAll(@Param('entityId') entityId: string, @CurrentCaller() caller: Caller): Promise<Accepted> {
    const removed: RemovedFiles = { entityId: entityId.toLowerCase() };
    return this.core.accept(caller, 'file-removal', [removed]);
  }

  private async acceptImages(
    kind: string,
    externalReference: string | undefined,
    request: FastifyRequest,
    caller: Caller,
  ): Promise<Accepted> {
    if (externalReference === undefined || externalReference === '') throw badUpload('externalReference is missing');
    const { fields, files } = await this.uploads.receive(request, caller, () => true);
    if (files.length === 0) throw badUpload('The form has no part named files');
    const upload: ImageUpload = { externalReference, orders: fields.get('orders') ?? [], files };
    return this.core.accept(caller, kind, [upload], files);
  }
}

/** The files behind the URLs that the platform gives; like those of a storefront they need no credentials. */
@Controller('files')
export class FilesController {
  constructor(
    private readonly files: FilesRepository,
    private readonly store: FileStore,
  ) {}

  @Get(':id/:name')
  @Describe({
    summary: 'A file, where the URLs of files lead',
    parameters: { id: ['Storage id', GUID], name: 'For people only' },
    binary: true,
    security: [],
    errors: { 404: 'There is no such file' },
  })
  async read(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<StreamableFile> {
    const [file] = await this.files.attached({ id: id.toLowerCase() });
    if (file === undefined) throw new NotFoundException({ code: 'FILE_UNKNOWN', message: 'There is no such file' });
    // A type that the caller chose must not make a browser run what the caller sent.
    void reply.header('x-content-type-options', 'nosniff').header('content-security-policy', 'sandbox');
    return new StreamableFile(this.store.read(file.id), { type: file.mediaType, length: file.size });
  }
}
