import { prepareBrand } from '../catalog/brand-record.ts';
import { readCatalogRecord } from '../catalog/catalog-record.ts';
import { prepareCategory } from '../catalog/category-record.ts';
import { prepareProduct } from '../catalog/product-record.ts';
import { readValueRecord } from '../catalog/value-record.ts';
import type { RecordMode } from '../dto/field.decorators.ts';
import { withIdentityTexts } from '../fields/identity-texts.ts';
import { readFileCommand } from '../files/file-command.ts';
import { isPlainRecord, type JsonRecord, type JsonValue, parseRecord } from '../json/json-digits.ts';
import { orderCommandErrors } from '../orders/order-command-errors.ts';
import type { FieldReason, Language, ReasonCode } from '../results/reason-codes.ts';
import { identityUnreadable, notAnObject, type Sentences } from '../results/unreadable-reason.ts';
import { isIdentityText } from '../topics/identities.ts';
import type { TopicName } from '../topics/topics.ts';
import type { UnitName } from '../units-and-money/units.ts';

/** The topics that an ERP writes. */
export const ERP_TOPICS = [
  'erp.catalog.brands.v1',
  'erp.catalog.categories.v1',
  'erp.catalog.products.v1',
  'erp.catalog.prices.v1',
  'erp.catalog.warehouses.v1',
  'erp.catalog.stock.v1',
  'erp.orders.commands.v1',
  'erp.files.commands.v1',
] as const satisfies readonly TopicName[];

export type ErpTopic = (typeof ERP_TOPICS)[number];

export interface CheckRules {
  readonly language: Language;
  /** Whether what is required to create a product or its SKUs has to be there: nothing says what a shop has. */
  readonly mode: RecordMode;
  /** A tenant's names of units (ERP's → platform's). */
  readonly units?: Readonly<Record<string, UnitName>>;
}

/** What Gondola would say to a record that it knows nothing else about. */
export interface CheckedRecord {
  /** `unreadable`: a dead letter, since nobody can be answered. */
  readonly outcome: 'valid' | 'invalid' | 'unreadable';
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
}

/**
 * Judges a record by itself, with the code and the sentences of the apps: its identity, then its fields. What needs a
 * shop, an order or a tenant's file (references, slugs, defaults) is not looked at.
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
  const { errors, warnings = [] } = CHECKS[topic](record, rules);
  return { outcome: errors.length > 0 ? 'invalid' : 'valid', errors, warnings };
}

type Check = (
  record: JsonRecord,
  rules: CheckRules,
) => { readonly errors: readonly FieldReason[]; readonly warnings?: readonly FieldReason[] };

const CHECKS: Readonly<Record<ErpTopic, Check>> = {
  'erp.catalog.brands.v1': catalogCheck((content, { language }) => prepareBrand(content, null, { language })),
  'erp.catalog.categories.v1': catalogCheck((content, { language }) =>
    prepareCategory(content, { language, known: new Map(), parents: new Map() }),
  ),
  'erp.catalog.products.v1': catalogCheck((content, { language, mode, units }) => {
    const isKnown = mode === 'update';
    const skus = isKnown && Array.isArray(content['skus']) ? content['skus'] : [];
    const references = skus.flatMap((sku: JsonValue) => {
      const reference = isPlainRecord(sku) ? sku['externalReference'] : null;
      return typeof reference === 'string' ? [reference] : [];
    });
    return prepareProduct(content, { language, units, known: { product: isKnown, skus: new Set(references) } });
  }),
  'erp.catalog.prices.v1': (record, { language }) => readValueRecord(record, language),
  'erp.catalog.warehouses.v1': (record, { language }) => readValueRecord(record, language),
  'erp.catalog.stock.v1': (record, { language }) => readValueRecord(record, language),
  'erp.orders.commands.v1': (record, { language, units = {} }) => ({
    errors: orderCommandErrors(record, { language, units }),
  }),
  'erp.files.commands.v1': (record, { language }) => {
    const reading = readFileCommand(record, language);
    return { errors: reading.ok ? [] : reading.errors };
  },
};

/** Control keys first; only an `upsert` says what the thing is to be. */
function catalogCheck(prepare: Check): Check {
  return (record, rules) => {
    const { op, content, errors } = readCatalogRecord(record, rules.language);
    return errors.length > 0 || op !== 'upsert' ? { errors } : prepare(content, rules);
  };
}

function unreadable(code: ReasonCode, field: string, sentences: Sentences, language: Language): CheckedRecord {
  return { outcome: 'unreadable', errors: [{ field, code, message: sentences[language] }], warnings: [] };
}
