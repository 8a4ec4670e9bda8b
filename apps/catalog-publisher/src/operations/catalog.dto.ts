import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { ShownOpenCommand } from '@gondola/lanes/commands/open-command.dto';
import { ONE_VALUE, OPEN, Open, openRecord, PERSONAL } from '@gondola/service-kit/http/answer-fields';
import { BrandRecordDto } from '@gondola/shared/catalog/brand-record.dto';
import { CategoryRecordDto } from '@gondola/shared/catalog/category-record.dto';
import { ProductRecordDto } from '@gondola/shared/catalog/product-record.dto';
import { SkuRecordDto } from '@gondola/shared/catalog/sku-record.dto';
import { FieldReasonDto, ReasonDto } from '@gondola/shared/outcomes/reason.dto';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { FINAL_OUTCOMES, type FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { KnownProduct, RecordOutcome } from '../product-state/known-product.ts';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';

const VERSION = { type: String, nullable: true, description: 'The highest sourceVersion that came' } as const;

/** Names under which ERPs send a price or a stock; the platform shows none. A value of another name is personal. */
const VALUE_NAMES = [
  'externalReference',
  'price',
  'salePrice',
  'listPrice',
  'fullPrice',
  'value',
  'amount',
  'quantity',
  'stock',
  'balance',
  'available',
  'availableQuantity',
];

const APPLIED_VALUE = {
  type: 'object',
  properties: Object.fromEntries(VALUE_NAMES.map((name): [string, object] => [name, { ...OPEN, ...ONE_VALUE }])),
  additionalProperties: PERSONAL,
} as const;

const APPLIED_PRODUCT = {
  type: 'object',
  properties: {
    product: { ...OPEN, ...openRecord(ProductRecordDto, { without: ['skus'] }) },
    skus: { ...OPEN, type: 'object', additionalProperties: openRecord(SkuRecordDto) },
  },
} as const;

/** A brand, or a category without those below it. */
const WHOLE_RECORD = { anyOf: [openRecord(BrandRecordDto), openRecord(CategoryRecordDto, { without: ['children'] })] };

class LastEnd implements RecordOutcome {
  @Open()
  readonly commandId!: string;

  @Open()
  readonly command!: string;

  @Open({ enum: FINAL_OUTCOMES })
  readonly outcome!: FinalOutcome;

  @Open({ ...openRecord(ReasonDto), nullable: true })
  readonly reason!: RecordOutcome['reason'];

  @Open({ type: 'array', items: openRecord(FieldReasonDto), description: 'The first 10' })
  readonly errors!: RecordOutcome['errors'];

  @Open({ format: 'date-time' })
  readonly finishedAt!: string;
}

class Reference implements AwaitedReference {
  @Open({ enum: ['brand', 'category', 'sku'] })
  readonly kind!: AwaitedReference['kind'];

  @Open()
  readonly externalReference!: string;
}

/** A record without an outcome. */
export class OpenRecord extends ShownOpenCommand {
  @Open({ type: String, nullable: true, description: 'Why the next call could not be made yet' })
  readonly blocked!: string | null;

  @Open({ type: [Reference], description: 'References that it waits for' })
  readonly waitingFor!: readonly AwaitedReference[];

  @Open({ type: [String] })
  readonly operationIds!: readonly string[];
}

class ShownEntity {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly externalReference!: string;

  @Open({ type: [OpenRecord], description: 'The oldest first; at most 50' })
  readonly open!: readonly OpenRecord[];
}

/** A price or stock of a SKU. */
class ShownValue {
  @Open({ enum: ['price', 'stock'] })
  readonly kind!: string;

  @Open()
  readonly skuExternalReference!: string;

  @Open({ type: String, nullable: true })
  readonly warehouse!: string | null;

  @Open({ type: String, nullable: true })
  readonly policy!: string | null;

  @Open({ ...APPLIED_VALUE, nullable: true, description: 'As last applied; null if that is unknown' })
  readonly applied!: JsonRecord | null;

  @Open({ type: String, format: 'date-time', nullable: true })
  readonly appliedAt!: string | null;
}

export class ShownProduct extends ShownEntity {
  @Open({ description: 'The shop was seen to have it' })
  readonly exists!: boolean;

  @Open({ type: [String], description: 'SKUs that the shop was seen to have' })
  readonly skus!: readonly string[];

  @Open({ ...APPLIED_PRODUCT, description: 'Values last applied: of the product, and of each SKU' })
  readonly applied!: KnownProduct['applied'];

  @Open(VERSION)
  readonly sourceVersion!: string | null;

  @Open({ type: LastEnd, nullable: true, description: 'How the last record ended' })
  readonly lastEnd!: KnownProduct['lastEnd'];

  @Open({ type: [ShownValue], description: 'Prices and stock of its SKUs' })
  readonly values!: readonly ShownValue[];
}

/** A record about a product, or about a price or stock of one of its SKUs. */
export class ShownRecord {
  @Open({ description: 'For `before`' })
  readonly id!: string;

  @Open({ enum: Object.keys(CATALOG_TOPICS) })
  readonly kind!: string;

  @Open({ description: 'Of the product or SKU' })
  readonly externalReference!: string;

  @Open()
  readonly commandId!: string;

  @Open({ description: 'upsert or delete, as the ERP wrote it' })
  readonly command!: string;

  @Open()
  readonly receivedAt!: Date;

  @Open({ enum: FINAL_OUTCOMES, nullable: true, type: String, description: 'Null while it has none' })
  readonly outcome!: FinalOutcome | null;

  @Open({ nullable: true, type: Date })
  readonly finishedAt!: Date | null;

  @Open({ nullable: true, type: String })
  readonly loadId!: string | null;
}

export class RecordsQuery extends PageQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;
}

export class ShownReference extends ShownEntity {
  @Open({ description: 'Known: products need not wait for it' })
  readonly exists!: boolean;

  @Open({ description: 'Something was sent over it, and nobody knows whether it entered' })
  readonly inDoubt!: boolean;

  @Open({ type: String, nullable: true })
  readonly parent!: string | null;

  @Open({ ...WHOLE_RECORD, nullable: true, description: 'Whole, as last applied' })
  readonly record!: JsonRecord | null;

  @Open(VERSION)
  readonly sourceVersion!: string | null;
}

/** Open records of one kind of entity of one tenant. */
export class CatalogCounts {
  @Open()
  readonly tenant!: string;

  @Open({ enum: Object.keys(CATALOG_TOPICS) })
  readonly kind!: string;

  @Open({ type: 'integer' })
  readonly open!: number;

  @Open({ type: 'integer', description: 'Of these, those without an outcome yet' })
  readonly sent!: number;

  @Open({ type: 'integer', description: 'Entities of which a record waits for references' })
  readonly waiting!: number;
}
