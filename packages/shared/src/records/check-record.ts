import { prepareBrand } from '../catalog/brand-record.ts';
import { readCatalogRecord } from '../catalog/catalog-record.ts';
import { prepareCategory } from '../catalog/category-record.ts';
import { type ProductContext, prepareProduct } from '../catalog/product-record.ts';
import { readValueRecord } from '../catalog/value-record.ts';
import type { RecordMode } from '../fields/broken-constraints.ts';
import { blanksWarning } from '../fields/blanks-warning.ts';
import { withIdentityTexts } from '../fields/identity-texts.ts';
import { readFileCommand } from '../files/file-command.ts';
import { isPlainRecord, type JsonRecord, type JsonValue, parseRecord } from '../json/json-digits.ts';
import { orderCommandErrors } from '../orders/order-command-errors.ts';
import type { FieldReason, Language, ReasonCode } from '../outcomes/reason-codes.ts';
import { identityUnreadable, notAnObject, type Sentences } from '../results/unreadable-reason.ts';
import { isIdentityText } from '../topics/identities.ts';
import type { TopicName } from '../topics/topics.ts';
import { byValueTopic } from '../topics/values.ts';
import type { UnitName } from '../units-and-money/units.ts';

/** `catalog` of the tenants file is optional. */
export interface CheckRules extends Pick<ProductContext, 'defaults' | 'commercialPolicies' | 'allowedExtraKeys'> {
  readonly language: Language;
  /** `create` requires the fields that creation requires, because the shop's content is unknown here. */
  readonly mode: RecordMode;
  /** A tenant's names of units (ERP's → platform's). */
  readonly units?: Readonly<Record<string, UnitName>>;
}

/** Gondola's answer to a record without any other knowledge. */
export interface CheckedRecord {
  /** `unreadable`: the record would be a dead letter, since no result can be sent. */
  readonly outcome: 'valid' | 'invalid' | 'unreadable';
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
}

/**
 * Checks a record on its own, with the code and the sentences of the apps: first its identity, then its fields.
 * Checks that depend on a shop or an order (references, slugs) are left out.
 */
export function checkRecord(topic: ErpTopic, value: Uint8Array, rules: CheckRules): CheckedRecord {
  const { language } = rules;
  const given = parseRecord(value);
  if (given === null) return unreadable('NOT_JSON', '', notAnObject(value), language);
  const record = withIdentityTexts(given);
  const name =
    topic === 'erp.orders.commands.v1' || topic === 'erp.files.commands.v1' ? 'commandId' : 'externalReference';
  if (!isIdentityText(record[name])) {
    return unreadable('IDENTITY_MISSING', name, identityUnreadable(name, record[name]), language);
  }
  const check: Check = CHECKS[topic];
  const { errors, warnings = [] } = check(record, rules);
  const all = [...blanksWarning(given, language), ...warnings];
  return { outcome: errors.length > 0 ? 'invalid' : 'valid', errors, warnings: all };
}

type Check = (
  record: JsonRecord,
  rules: CheckRules,
) => { readonly errors: readonly FieldReason[]; readonly warnings?: readonly FieldReason[] };

const CHECKS = {
  'erp.catalog.brands.v1': catalogCheck((content, { language, allowedExtraKeys }) =>
    prepareBrand(content, null, { language, allowedExtraKeys }),
  ),
  'erp.catalog.categories.v1': catalogCheck((content, { language, allowedExtraKeys }) =>
    prepareCategory(content, { language, allowedExtraKeys, known: new Map(), parents: new Map() }),
  ),
  'erp.catalog.products.v1': catalogCheck((content, { mode, ...rules }) => {
    const isKnown = mode === 'update';
    const skus = isKnown && Array.isArray(content['skus']) ? content['skus'] : [];
    const references = skus.flatMap((sku: JsonValue) => {
      const reference = isPlainRecord(sku) ? sku['externalReference'] : null;
      return typeof reference === 'string' ? [reference] : [];
    });
    return prepareProduct(content, { ...rules, known: { product: isKnown, skus: new Set(references) } });
  }),
  ...byValueTopic<Check>(
    () =>
      (record, { language }) =>
        readValueRecord(record, language),
  ),
  'erp.orders.commands.v1': (record, { language, units = {} }) => ({
    errors: orderCommandErrors(record, { language, units }),
  }),
  'erp.files.commands.v1': (record, { language }) => {
    const reading = readFileCommand(record, language);
    return { errors: reading.ok ? [] : reading.errors };
  },
} as const satisfies Partial<Record<TopicName, Check>>;

export type ErpTopic = keyof typeof CHECKS;

export const ERP_TOPICS = Object.keys(CHECKS) as readonly ErpTopic[];

/** Checks control keys first; only an `upsert` has content to check. */
function catalogCheck(prepare: Check): Check {
  return (record, rules) => {
    const { op, content, errors } = readCatalogRecord(record, rules.language);
    return errors.length > 0 || op !== 'upsert' ? { errors } : prepare(content, rules);
  };
}

function unreadable(code: ReasonCode, field: string, sentences: Sentences, language: Language): CheckedRecord {
  return { outcome: 'unreadable', errors: [{ field, code, message: sentences[language] }], warnings: [] };
}
