import type { FastifyRequest } from 'fastify';
import { badRequest, type HttpError } from '../http/http-error.ts';
import type { RequestLog } from '../http/request-log.service.ts';
import type { Files } from './files.service.ts';
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

/** Receives the files of a form. A form that fails leaves nothing stored. */
export class FormUploads {
  constructor(
    private readonly files: Files,
    private readonly requests: RequestLog,
    private readonly maxBytes: number,
  ) {}

  async receive(request: FastifyRequest, isWanted: (mediaType: string) => boolean): Promise<Upload> {
    const begun: { id: string }[] = [];
    const files: StoredFile[] = [];
    const unwanted: string[] = [];
    const onFile = async (part: FilePart): Promise<void> => {
      if (isWanted(part.mediaType)) {
        files.push(await this.files.receive(part, (id) => begun.push({ id })));
        return;
      }
      unwanted.push(part.mediaType);
      for await (const _chunk of part.content);
    };
    try {
      const { fields, parts } = await this.read(request, onFile);
      this.requests.note(request, { form: Buffer.from(JSON.stringify({ parts })) });
      return { fields, files, unwanted };
    } catch (err) {
      await this.files.discard(begun);
      throw err;
    }
  }

  async discard({ files }: Upload): Promise<void> {
    await this.files.discard(files);
  }

  private async read(request: FastifyRequest, onFile: (part: FilePart) => Promise<void>): Promise<Form> {
    const { maxBytes } = this;
    const contentType = request.headers['content-type'] ?? '';
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      request.raw.resume();
      throw tooLarge(maxBytes);
    }
    return readForm(request.raw, { contentType, maxBytes, onFile });
  }
}

export function badUpload(message: string): HttpError {
  return badRequest('UPLOAD_INVALID', message);
}
