import { CONFIG } from '@gondola/service-kit/config/injected';
import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SandboxConfig } from '../config.ts';
import { rememberForm } from '../logs/request-log.adapter.ts';
import { FileStore } from './file-store.service.ts';
import { FilesRepository } from './files.repository.ts';
import { readForm, tooLarge, type FilePart, type Form } from './form.adapter.ts';
import type { StoredFile } from './stored-file.ts';

/** Content of a form. */
export interface Upload {
  readonly fields: Form['fields'];
  /** In the sequence of the form, without unwanted files. */
  readonly files: readonly StoredFile[];
  /** Media types of the unwanted files. */
  readonly unwanted: readonly string[];
}

/** Receives the files of a form into the database. A form that fails leaves nothing stored. */
@Injectable()
export class FormUploads {
  constructor(
    private readonly store: FileStore,
    private readonly stored: FilesRepository,
    @Inject(CONFIG) private readonly config: SandboxConfig,
  ) {}

  async receive(
    request: FastifyRequest,
    { contractAccountId }: { readonly contractAccountId: string },
    isWanted: (mediaType: string) => boolean,
  ): Promise<Upload> {
    const begun: { id: string }[] = [];
    const files: StoredFile[] = [];
    const unwanted: string[] = [];
    const onFile = async (part: FilePart): Promise<void> => {
      if (isWanted(part.mediaType)) {
        files.push(await this.store.receive(contractAccountId, part, (id) => begun.push({ id })));
        return;
      }
      unwanted.push(part.mediaType);
      for await (const _chunk of part.content);
    };
    try {
      const { fields, parts } = await this.read(request, onFile);
      rememberForm(request, parts);
      return { fields, files, unwanted };
    } catch (err) {
      await this.stored.remove(begun);
      throw err;
    }
  }

  async discard({ files }: Upload): Promise<void> {
    await this.stored.remove(files);
  }

  private async read(request: FastifyRequest, onFile: (part: FilePart) => Promise<void>): Promise<Form> {
    const { uploadMaxBytes: maxBytes } = this.config.settings;
    const contentType = request.headers['content-type'] ?? '';
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      request.raw.resume();
      throw tooLarge(maxBytes);
    }
    return readForm(request.raw, { contentType, maxBytes, onFile });
  }
}

export function badUpload(message: string): BadRequestException {
  return new BadRequestException({ code: 'UPLOAD_INVALID', message });
}
