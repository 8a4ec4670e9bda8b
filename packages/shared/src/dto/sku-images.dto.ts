import type { FieldTable } from '../fields/field-spec.ts';
import { MAX_IMAGES } from '../limits.ts';
import type { ContentDto } from './content.dto.ts';
import { FromTable } from './field.decorators.ts';
import { FILE_COMMAND_FIELDS, FileCommandDto } from './file-command.dto.ts';
import type { DecimalInput } from './sku-record.dto.ts';

export const PUBLISH_SKU_IMAGES_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  skuExternalReference: { type: 'identity', required: 'always', inPath: true },
  images: { type: 'list', required: 'always', maxEntries: MAX_IMAGES },
  replace: { type: 'boolean' },
} as const satisfies FieldTable;

export const SKU_IMAGE_FIELDS = {
  order: { type: 'integer', required: 'always', min: 1 },
  content: { type: 'record', required: 'always' },
} as const satisfies FieldTable;

export const UNDO_IMAGE_UPLOAD_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  skuExternalReference: { type: 'identity', required: 'always', inPath: true },
  undoes: { type: 'identity', required: 'always' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(PUBLISH_SKU_IMAGES_FIELDS);
const ImageField = (): PropertyDecorator => FromTable(SKU_IMAGE_FIELDS);
const UndoField = (): PropertyDecorator => FromTable(UNDO_IMAGE_UPLOAD_FIELDS);

export class SkuImageDto {
  /** Where it is shown; 1 is the main image. */
  @ImageField() order!: DecimalInput;
  @ImageField() content!: ContentDto;
}

/** POST image/upload, the images in one ordered request. */
export class PublishSkuImagesDto extends FileCommandDto {
  @Field() skuExternalReference!: string;
  @Field() images!: SkuImageDto[];
  /** The SKU's other images are removed after the upload. */
  @Field() replace?: boolean | null;
}

/** DELETE image/upload. */
export class UndoImageUploadDto extends FileCommandDto {
  @UndoField() skuExternalReference!: string;
  /** `commandId` of the upload. */
  @UndoField() undoes!: string;
}
