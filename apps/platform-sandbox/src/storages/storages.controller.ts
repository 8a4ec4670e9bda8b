import { CONFIG } from '@gondola/service-kit/config/injected';
import { BadRequestException, Delete, Get, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SandboxConfig } from '../config.ts';
import { AcceptOperation, type Accepted } from '../core/accept-operation.service.ts';
import { FilesRepository } from '../files/files.repository.ts';
import { FormUploads, badUpload } from '../files/form-uploads.service.ts';
import { isFileType } from '../files/stored-file.ts';
import { ValidBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes, Queues } from '../http/integration-routes.decorator.ts';
import { Describe, type Description } from '../openapi/describe.decorator.ts';
import { A_GUID, FILE, GUID, INTEGER, listOf } from '../openapi/schemas.ts';
import { Storefronts } from '../order-payload/storefronts.service.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { RemovalBody, type ImageLinking, type ImageUpload } from './file-calls.ts';
import type { RemovedFiles } from './take-file-changes.service.ts';

const IMAGES: Omit<Description, 'summary'> = {
  parameters: { externalReference: 'Reference of the SKU' },
  form: {
    type: 'object',
    properties: {
      files: listOf(FILE),
      fileNames: { ...listOf({ type: 'string' }), description: 'In place of files: names of files that SFTP placed' },
      orders: { ...listOf(INTEGER), description: 'Display orders in the sequence of the files; 1 is the main image' },
    },
  },
  errors: {
    400: 'No form, no reference, or no file where there is no SFTP server',
    413: 'Larger than UPLOAD_MAX_BYTES',
  },
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
    private readonly switches: SwitchBoard,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

  @Post('image/upload')
  @Queues('answer shown', { summary: 'Uploads images of a SKU, or links those that SFTP placed', ...IMAGES })
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

  /** Lists files in their display order; without files the list is empty. */
  @Get('file/:externalReference/:fileType')
  @Describe({
    summary: 'URLs of files, in display order',
    parameters: {
      externalReference: OWNER,
      fileType: ['1 SKU, 2 Category, 3 Badge, 4 Invoice, 5 Product', { enum: [1, 2, 3, 4, 5] }],
    },
    answer: ['http://127.0.0.1:8090/files/…/frente.png'],
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
    body: { fileType: 1, storageIds: [A_GUID] },
    errors: { 400: 'fileType is missing, or both lists are' },
  })
  async removeSome(
    @Param('externalReference') externalReference: string,
    @ValidBody(RemovalBody) removal: z.output<typeof RemovalBody>,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    const removed: RemovedFiles = { externalReference, ...removal };
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
    const orders = fields.get('orders') ?? [];
    if (files.length === 0 && kind === 'images' && this.config.sftp !== null) {
      const { linkingKey } = this.switches.behaviour;
      const fileNames = linkingKey === null ? [] : (fields.get(linkingKey) ?? []);
      const linking: ImageLinking = { externalReference, orders, fileNames };
      return this.core.accept(caller, 'images-linking', [linking]);
    }
    if (files.length === 0) throw badUpload('The form has no part named files');
    const upload: ImageUpload = { externalReference, orders, files };
    return this.core.accept(caller, kind, [upload], files);
  }
}
