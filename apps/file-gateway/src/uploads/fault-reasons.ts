import { fieldReason } from '@gondola/shared/fields/field-reasons';
import type { FieldReason, Language, ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import type { ContentFault, TooCostly } from './content-verdict.ts';

const BYTES_OF_MB = 1_000_000;
const SECOND_MS = 1_000;

const NOT_WHOLE: Readonly<Record<Language, string>> = {
  'pt-BR': 'O conteúdo está danificado, incompleto, ou é também outra coisa.',
  en: 'The content is damaged, incomplete, or something else as well.',
};

type Sentences = { readonly [K in TooCostly['kind']]: (cost: Extract<TooCostly, { kind: K }>) => string };

const TOO_COSTLY: Readonly<Record<Language, Sentences>> = {
  'pt-BR': {
    pixels: ({ width, height, limit }) =>
      `A imagem tem ${width} × ${height} pixels, contando todos os quadros: ${width * height}, e o limite é ${limit}. Envie-a menor.`,
    bytes: ({ width, height, bytes, limit }) =>
      `A imagem de ${width} × ${height} pixels precisa de ${megabytes(bytes)} MB de memória para ser decodificada, e o limite é ${megabytes(limit)} MB. ` +
      'Envie-a menor, ou como JPEG ou PNG que não seja progressivo nem entrelaçado.',
    memory: ({ limit }) =>
      `O conteúdo precisa de mais memória para ser decodificado do que o limite de ${megabytes(limit)} MB. Envie-o menor.`,
    time: ({ limit }) => `O conteúdo não pôde ser decodificado em ${limit / SECOND_MS} s. Envie-o menor.`,
  },
  en: {
    pixels: ({ width, height, limit }) =>
      `The image has ${width} × ${height} pixels, all frames together: ${width * height}, and the limit is ${limit}. Send a smaller one.`,
    bytes: ({ width, height, bytes, limit }) =>
      `The image of ${width} × ${height} pixels takes ${megabytes(bytes)} MB of memory to be decoded, and the limit is ${megabytes(limit)} MB. ` +
      'Send a smaller one, or a JPEG or PNG that is neither progressive nor interlaced.',
    memory: ({ limit }) =>
      `The content takes more memory to be decoded than the limit of ${megabytes(limit)} MB. Send a smaller one.`,
    time: ({ limit }) => `The content could not be decoded in ${limit / SECOND_MS} s. Send a smaller one.`,
  },
};

/**
 * Reason why a command does not hold a content.
 *
 * @param about.code code for a content that is broken
 */
export function faultReason(
  fault: ContentFault,
  { code, field, language }: { readonly code: ReasonCode; readonly field: string; readonly language: Language },
): FieldReason {
  if (fault === 'broken') return fieldReason(code, language, { field }, { hint: NOT_WHOLE[language] });
  return fieldReason('CONTENT_NOT_ALLOWED', language, { field }, { hint: hintOf(fault, TOO_COSTLY[language]) });
}

function hintOf(cost: TooCostly, sentences: Sentences): string {
  if (cost.kind === 'pixels') return sentences.pixels(cost);
  if (cost.kind === 'bytes') return sentences.bytes(cost);
  return cost.kind === 'memory' ? sentences.memory(cost) : sentences.time(cost);
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_OF_MB);
}
