import type { FieldTable } from '../fields/field-spec.ts';
import { MAX_FILES } from '../limits.ts';
import { FromTable } from './field.decorators.ts';
import { FILE_COMMAND_FIELDS, FileCommandDto } from './file-command.dto.ts';

export const LIST_FILES_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  externalReference: { type: 'identity', required: 'always', inPath: true },
  fileType: { type: 'file-type', required: 'always' },
} as const satisfies FieldTable;

export const REMOVE_FILES_FIELDS = {
  ...LIST_FILES_FIELDS,
  urls: { type: 'text-list', maxEntries: MAX_FILES },
  storageIds: { type: 'text-list', maxEntries: MAX_FILES },
} as const satisfies FieldTable;

export const REMOVE_ALL_FILES_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  entityId: { type: 'identity', required: 'always', inPath: true },
  confirm: { type: 'boolean' },
} as const satisfies FieldTable;

const ListField = (): PropertyDecorator => FromTable(LIST_FILES_FIELDS);
const RemoveField = (): PropertyDecorator => FromTable(REMOVE_FILES_FIELDS);
const RemoveAllField = (): PropertyDecorator => FromTable(REMOVE_ALL_FILES_FIELDS);

/** GET file. */
export class ListFilesDto extends FileCommandDto {
  @ListField() externalReference!: string;
  /** A name or a number of the platform's document. */
  @ListField() fileType!: string | number;
}

/** DELETE file; one of `urls` and `storageIds` is given. */
export class RemoveFilesDto extends ListFilesDto {
  @RemoveField() urls?: string[] | null;
  @RemoveField() storageIds?: string[] | null;
}

/** DELETE delete/{entityId}. */
export class RemoveAllFilesDto extends FileCommandDto {
  @RemoveAllField() entityId!: string;
  /** Must be true. */
  @RemoveAllField() confirm?: boolean | null;
}
