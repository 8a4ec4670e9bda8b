import type { Language } from '@gondola/shared/results/reason-codes';

type Texts<T> = Readonly<Record<Language, T>>;

/** A part of the contract that this version refuses rather than half-does. */
export const NOT_YET: Texts<(name: string) => string> = {
  'pt-BR': (name) => `"${name}" está previsto no contrato, mas esta versão ainda não o executa.`,
  en: (name) => `"${name}" is part of the contract, but this version does not carry it out yet.`,
};

export const ONLY_UPLOADS: Texts<(kind: string) => string> = {
  'pt-BR': (kind) => `Esta versão ainda não busca conteúdo por "${kind}": envie-o por POST /uploads e use "uploadId".`,
  en: (kind) => `This version does not fetch content by "${kind}" yet: send it by POST /uploads and use "uploadId".`,
};

/** An image that fits into no request (rule 32). */
export const IMAGE_TOO_LARGE: Texts<(limitBytes: number) => string> = {
  'pt-BR': (limit) => `A imagem não cabe no limite da plataforma por envio, de ${limit} bytes.`,
  en: (limit) => `The image does not fit into the platform's limit of ${limit} bytes per request.`,
};

/** Why an upload is not taken, over HTTP. */
export interface UploadTexts {
  readonly notSupported: string;
  /** The NF-e XML is what ERPs send in place of the PDF (rule 33). */
  readonly nfeXml: string;
  readonly tooLarge: (limitBytes: number) => string;
  readonly noFile: string;
  readonly malformed: string;
  readonly notStored: string;
}

export const UPLOAD_TEXTS: Texts<UploadTexts> = {
  'pt-BR': {
    notSupported: 'O conteúdo não é uma imagem (PNG, JPEG, WebP, GIF) nem um PDF.',
    nfeXml: 'Isto é o XML da NF-e. Envie o DANFE em PDF.',
    tooLarge: (limit) => `O conteúdo passa do limite de ${limit} bytes.`,
    noFile: 'Falta o arquivo: uma única parte "file" em multipart/form-data, ou o próprio conteúdo como corpo.',
    malformed: 'O corpo multipart/form-data está malformado ou incompleto.',
    notStored: 'O conteúdo não foi guardado; envie de novo.',
  },
  en: {
    notSupported: 'The content is neither an image (PNG, JPEG, WebP, GIF) nor a PDF.',
    nfeXml: 'This is the XML of the NF-e: send the DANFE as PDF.',
    tooLarge: (limit) => `The content is over the limit of ${limit} bytes.`,
    noFile: 'The file is missing: one single part "file" in multipart/form-data, or the content itself as the body.',
    malformed: 'The multipart/form-data body is malformed or incomplete.',
    notStored: 'The content is not stored; send it again.',
  },
};
