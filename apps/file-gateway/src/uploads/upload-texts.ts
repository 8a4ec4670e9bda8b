import type { OtherContent } from '@gondola/shared/files/media-types';
import type { Language } from '@gondola/shared/outcomes/reason-codes';

/** Reasons for refusing an upload over HTTP. */
export interface UploadTexts {
  readonly notSupported: string;
  /** ERPs send the NF-e XML instead of the PDF (rule 33). */
  readonly nfeXml: string;
  readonly otherPicture: (format: OtherContent) => string;
  readonly tooLarge: (limitBytes: number) => string;
  readonly quotaFull: string;
  readonly noFile: string;
  readonly malformed: string;
  readonly notStored: string;
}

export const UPLOAD_TEXTS: Readonly<Record<Language, UploadTexts>> = {
  'pt-BR': {
    notSupported: 'O conteúdo não é uma imagem (PNG, JPEG, WebP, GIF) nem um PDF.',
    nfeXml: 'Isto é o XML da NF-e. Envie o DANFE em PDF.',
    otherPicture: (format) => `Isto é uma imagem ${format}. Envie-a como PNG, JPEG, WebP ou GIF.`,
    tooLarge: (limit) => `O conteúdo passa do limite de ${limit} bytes.`,
    quotaFull: 'O espaço da loja para conteúdos está cheio; ele é liberado quando os mais antigos expiram.',
    noFile: 'Falta o arquivo: uma única parte "file" em multipart/form-data, ou o próprio conteúdo como corpo.',
    malformed: 'O corpo multipart/form-data está malformado ou incompleto.',
    notStored: 'O conteúdo não foi guardado; envie de novo.',
  },
  en: {
    notSupported: 'The content is neither an image (PNG, JPEG, WebP, GIF) nor a PDF.',
    nfeXml: 'This is the XML of the NF-e: send the DANFE as PDF.',
    otherPicture: (format) => `This is a ${format} picture. Send it as PNG, JPEG, WebP or GIF.`,
    tooLarge: (limit) => `The content is over the limit of ${limit} bytes.`,
    quotaFull: "The tenant's room for contents is full; it is freed as the oldest ones expire.",
    noFile: 'The file is missing: one single part "file" in multipart/form-data, or the content itself as the body.',
    malformed: 'The multipart/form-data body is malformed or incomplete.',
    notStored: 'The content is not stored; send it again.',
  },
};

/** Sentence about a content that is neither an image nor a PDF. */
export function notSupportedText(found: OtherContent | null, language: Language): string {
  const { notSupported, nfeXml, otherPicture } = UPLOAD_TEXTS[language];
  if (found === null) return notSupported;
  return found === 'NF-e' ? nfeXml : otherPicture(found);
}
