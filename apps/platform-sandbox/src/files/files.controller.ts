import { Controller, Get, NotFoundException, Param, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Describe } from '../openapi/describe.decorator.ts';
import { GUID } from '../openapi/schemas.ts';
import { FileStore } from './file-store.service.ts';
import { FilesRepository } from './files.repository.ts';

/**
 * Serves the files at the URLs that the platform returns; like those of a storefront they require no credentials.
 */
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
    errors: { 404: 'There is no file with this URL' },
  })
  async read(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<StreamableFile> {
    const [file] = await this.files.attached({ id: id.toLowerCase() });
    if (file === undefined)
      throw new NotFoundException({ code: 'FILE_UNKNOWN', message: 'There is no file with this URL' });
    // With a media type that the caller chose, a browser must not execute the caller's content.
    void reply.header('x-content-type-options', 'nosniff').header('content-security-policy', 'sandbox');
    return new StreamableFile(this.store.read(file.id), { type: file.mediaType, length: file.size });
  }
}
