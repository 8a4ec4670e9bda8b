import { contentErrors } from './content-reference.ts';
import { integerTextOf } from '../json/digits.ts';
import { FileCommandDto, SkuImageDto } from './file-commands.dto.ts';
import { fieldReason, given, listed, nearestHint } from '../fields/field-reasons.ts';
import { fieldWords } from '../fields/field-texts.ts';
import { type FileCommandContent, type FileCommandName, fileCommandContent, imagesOf } from './file-command-content.ts';
import { FILE_COMMANDS } from './file-commands.dto.ts';
import { FILE_TYPE_NAMES } from '../fields/file-types.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import { MAX_IMAGES } from '../limits.ts';
import { longNumberErrors } from '../fields/long-numbers.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';
import { type RecordShape, shapeErrors, shapeOf, tableErrors } from '../fields/record-shape.ts';

const BASE = shapeOf(FileCommandDto);
const IMAGE = shapeOf(SkuImageDto);

const SHAPES = Object.fromEntries(
  Object.entries(FILE_COMMANDS).map(([name, { dto }]) => [name, shapeOf(dto)]),
) as Readonly<Record<FileCommandName, RecordShape>>;

export type FileCommand = FileCommandContent & { readonly commandId: string };

export type FileCommandReading =
  | { readonly ok: true; readonly command: FileCommand }
  | { readonly ok: false; readonly errors: readonly FieldReason[] };

/**
 * Reads a file command whose `commandId` and tenant are readable. An unknown command is `COMMAND_UNKNOWN`;
 * otherwise returns the errors of its fields, including unknown keys, in the tenant's language, limited by
 * `listed`. Does not check whether a kind of content is allowed.
 */
export function readFileCommand(record: JsonRecord, language: Language): FileCommandReading {
  const long = longNumberErrors(record, language);
  if (long.length > 0) return { ok: false, errors: listed(long, language) };
  const name = record['command'];
  if (typeof name === 'string' && name !== '' && !isFileCommandName(name)) {
    const hint = nearestHint(name, Object.keys(SHAPES), language);
    const params = given(name, language);
    return { ok: false, errors: [fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, { params, hint })] };
  }
  if (!isFileCommandName(name)) return { ok: false, errors: tableErrors(record, BASE, language) };
  const hints = { fileType: fieldWords(language).oneOf(FILE_TYPE_NAMES.join(', ')) };
  const own = shapeErrors(record, SHAPES[name], language, { hints });
  const errors = [...own, ...innerErrors(name, record, language, own.length)];
  if (errors.length > 0) return { ok: false, errors: listed(errors, language) };
  const { commandId } = record;
  const content = fileCommandContent(name, record);
  return { ok: true, command: { ...content, commandId: typeof commandId === 'string' ? commandId : '' } };
}

/** Errors by the rules of a command that its table cannot express. */
function innerErrors(name: FileCommandName, record: JsonRecord, language: Language, found: number): FieldReason[] {
  const reason = (code: 'FIELD_REQUIRED' | 'CONFIRM_REQUIRED', field: string) => [
    fieldReason(code, language, { field }),
  ];
  if (name === 'PublishSkuImages') return imageErrors(record, language, found);
  if (name === 'UploadInvoicePdf' || name === 'CheckInvoicePdf')
    return contentErrors(record['content'], language, { prefix: 'content.' });
  if (name === 'RemoveAllFiles') return record['confirm'] === true ? [] : reason('CONFIRM_REQUIRED', 'confirm');
  if (name !== 'RemoveFiles') return [];
  return (record['urls'] ?? record['storageIds'] ?? null) === null ? reason('FIELD_REQUIRED', 'urls') : [];
}

/** Requires at least one image, each with a distinct position and one content. */
function imageErrors(record: JsonRecord, language: Language, foundBefore: number): FieldReason[] {
  const images = imagesOf(record);
  // A list that is too long is reported as a single error.
  if (images.length > MAX_IMAGES) return [];
  if (Array.isArray(record['images']) && record['images'].length === 0) {
    return [fieldReason('FIELD_REQUIRED', language, { field: 'images' })];
  }
  const taken = new Set<string>();
  let found = foundBefore;
  return images.flatMap((image, index) => {
    const prefix = `images[${index}].`;
    const errors = [
      ...shapeErrors(image, IMAGE, language, { prefix, found }),
      ...contentErrors(image['content'], language, { prefix: `${prefix}content.` }),
    ];
    const order = integerTextOf(image['order']);
    if (order !== null && taken.has(order)) {
      const params = { expected: fieldWords(language).ofItsOwn, ...given(image['order'], language) };
      errors.push(fieldReason('FIELD_TYPE', language, { field: `${prefix}order` }, { params }));
    }
    taken.add(order ?? '');
    found += errors.length;
    return errors;
  });
}

function isFileCommandName(name: unknown): name is FileCommandName {
  return typeof name === 'string' && Object.hasOwn(SHAPES, name);
}
