import { fieldReason } from '@gondola/shared/fields/field-reasons';
import type { FieldReason, Language, ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import type { ContentFault } from './content-verdict.ts';

const BYTES_OF_MB = 1_000_000;
const SECOND_MS = 1_000;

type Mixed = Extract<ContentFault, { readonly kind: 'mixed' }>;

type Sentences = { readonly [K in ContentFault['kind']]: (fault: Extract<ContentFault, { kind: K }>) => string };

const ALSO: Readonly<Record<Language, Readonly<Record<Mixed['also'], string>>>> = {
  'pt-BR': {
    archive: 'um arquivo ZIP',
    pdf: 'um PDF',
    page: 'uma página com um script',
    program: 'um programa PHP',
  },
  en: { archive: 'a ZIP archive', pdf: 'a PDF', page: 'a page with a script', program: 'a PHP program' },
};

const SENTENCES: Readonly<Record<Language, Sentences>> = {
  'pt-BR': {
    'cut-off': () => 'O arquivo termina antes do fim do conteúdo: foi cortado. Envie-o de novo, a partir do original.',
    damaged: () => 'O arquivo está danificado e não pode ser decodificado. Abra o original e salve-o de novo.',
    mixed: ({ also }) => `O arquivo é também ${ALSO['pt-BR'][also]}. Envie um arquivo que não contenha mais nada.`,
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
    'cut-off': () => 'The file ends before its content does: it was cut off. Send it again from the original.',
    damaged: () => 'The file is damaged and cannot be decoded. Open the original and save it again.',
    mixed: ({ also }) => `The file is ${ALSO.en[also]} as well. Send a file that holds nothing else.`,
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
  const hint = hintOf(fault, SENTENCES[language]);
  return fieldReason(isBroken(fault) ? code : 'CONTENT_NOT_ALLOWED', language, { field }, { hint });
}

function isBroken({ kind }: ContentFault): boolean {
  return kind === 'cut-off' || kind === 'damaged' || kind === 'mixed';
}

function hintOf(fault: ContentFault, sentences: Sentences): string {
  const sentence = sentences[fault.kind] as (fault: ContentFault) => string;
  return sentence(fault);
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_OF_MB);
}
