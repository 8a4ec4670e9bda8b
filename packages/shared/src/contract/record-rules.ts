import {
  PRODUCT_READ_ONLY,
  PRODUCT_TRANSLATIONS,
  SKU_READ_ONLY,
  SKU_TRANSLATIONS,
  type Translation,
} from '../catalog/name-translation.ts';
import { ContentDto } from '../files/content.dto.ts';
import { PublishSkuImagesDto, RemoveAllFilesDto, RemoveFilesDto } from '../files/file-commands.dto.ts';
import { ProductRecordDto } from '../catalog/product-record.dto.ts';
import { SkuRecordDto } from '../catalog/sku-record.dto.ts';
import type { Dto, JsonSchema } from '../schemas/json-schema.ts';

/** Rules for records that no single field expresses: between fields, and names of the read model. */

const RULES: ReadonlyMap<Dto, readonly JsonSchema[]> = new Map<Dto, readonly JsonSchema[]>([
  [ContentDto, [{ oneOf: ['uploadId', 'url', 'path'].map((name) => given(name, 'string')) }]],
  [RemoveFilesDto, [{ anyOf: ['urls', 'storageIds'].map((name) => given(name, 'array')) }]],
  [RemoveAllFilesDto, [{ required: ['confirm'], properties: { confirm: { const: true } } }]],
]);

const EXTRA_PROPERTIES: ReadonlyMap<Dto, Readonly<Record<string, JsonSchema>>> = new Map<
  Dto,
  Readonly<Record<string, JsonSchema>>
>([
  [ProductRecordDto, readModelProperties(PRODUCT_TRANSLATIONS, PRODUCT_READ_ONLY)],
  [SkuRecordDto, readModelProperties(SKU_TRANSLATIONS, SKU_READ_ONLY)],
]);

const NARROWER_PROPERTIES: ReadonlyMap<Dto, Readonly<Record<string, JsonSchema>>> = new Map([
  [PublishSkuImagesDto, { images: { minItems: 1 } }],
]);

export function recordRules(dto: Dto): readonly JsonSchema[] {
  return RULES.get(dto) ?? [];
}

/** Fields that a record may have in addition to those of its class. */
export function extraProperties(dto: Dto): Readonly<Record<string, JsonSchema>> {
  return EXTRA_PROPERTIES.get(dto) ?? {};
}

/** A field that is there and not null: with the one type of its values. */
/** Keywords of a field beside those of its type. */
export function narrowerProperties(dto: Dto): Readonly<Record<string, JsonSchema>> {
  return NARROWER_PROPERTIES.get(dto) ?? {};
}

function given(name: string, type: 'string' | 'array'): JsonSchema {
  return { required: [name], properties: { [name]: { type } } };
}

/** Names of the read model, which can be sent back unchanged (rules 20, 22). */
function readModelProperties(
  translations: readonly Translation[],
  readOnly: ReadonlySet<string>,
): Record<string, JsonSchema> {
  const translated = translations.map(({ from, to }): [string, JsonSchema] => [
    from.split('.')[0] ?? from,
    { description: `The read model's name of \`${to}\``, deprecated: true },
  ]);
  const dropped = [...readOnly].map((name): [string, JsonSchema] => [
    name,
    { description: 'Of the read model: is not sent', readOnly: true },
  ]);
  return Object.fromEntries([...translated, ...dropped]);
}
