import { PRODUCT_DERIVATIONS, SKU_DERIVATIONS } from '@gondola/shared/catalog/catalog-defaults';
import type { CatalogDefaults, LevelDefaults } from '@gondola/shared/catalog/catalog-defaults';
import { SLUG_PATTERN } from '@gondola/shared/catalog/slug';
import { PRODUCT_FIELDS } from '@gondola/shared/catalog/product-record.dto';
import { SKU_FIELDS } from '@gondola/shared/catalog/sku-record.dto';
import { UNIT_NAMES } from '@gondola/shared/units-and-money/units';
import { z } from 'zod';

/** Maximum length of a slug's pattern, which leaves room for name and reference. */
const MAX_PATTERN = 100;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const levelDefaults = z
  .strictObject({
    product: fieldDefaults(PRODUCT_FIELDS, PRODUCT_DERIVATIONS).optional(),
    sku: fieldDefaults(SKU_FIELDS, SKU_DERIVATIONS).optional(),
  })
  .describe('Values of fields that the ERP does not have, by the field names of the input tables');

/**
 * `catalog.defaults`: its field names are those of the input tables, so a misspelt name is found at boot (rule 23).
 */
const catalogDefaults = levelDefaults.extend({
  byCategory: z
    .record(z.string(), levelDefaults)
    .optional()
    .describe('Values that take precedence for one category, by categoryExternalReference'),
}) as unknown as z.ZodType<CatalogDefaults, LevelDefaults>;

/** `catalog` of a tenant. */
export const catalogSchema = z.strictObject({
  units: z.record(z.string(), z.enum(UNIT_NAMES)).default({}).describe("The ERP's unit names"),
  defaults: catalogDefaults.prefault({}),
  commercialPolicies: z.record(z.string(), z.guid()).default({}).describe('Alias of a commercial policy → its GUID'),
  assumeExists: z
    .record(z.string(), z.json())
    .default({})
    .describe('References that are assumed to exist, so that no record waits for them'),
  allowedExtraKeys: z
    .array(z.string().min(1))
    .default([])
    .describe('Additional keys that are accepted besides those of the input tables'),
});

/** Derivation of a field from another one; a slug may have a pattern. */
function derivation(name: string, source: string) {
  const pattern = z.string().max(MAX_PATTERN).regex(SLUG_PATTERN).optional().describe('Words, {name} and {reference}');
  return z.strictObject({ from: z.literal(source), ...(name === 'slug' && { pattern }) });
}

/**
 * All fields except the identity and the SKUs, each with a value or, if it can be derived from another field, `{
 * from }`.
 */
function fieldDefaults(fields: object, derivations: Readonly<Record<string, string>>) {
  const names = Object.keys(fields).filter((name) => name !== 'externalReference' && name !== 'skus');
  const entries = names.map((name) => {
    const source = derivations[name];
    const value = source === undefined ? scalar : z.union([scalar, derivation(name, source)]);
    return [name, value.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(entries));
}
