import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { ShownOpenCommand } from '@gondola/messaging/commands/open-command.dto';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { FINAL_OUTCOMES, type FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { KnownProduct } from '../product-state/known-product.ts';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';

const VERSION = { type: String, nullable: true, description: 'The highest sourceVersion that came' } as const;
const ANY_OBJECT = { type: 'object', additionalProperties: true } as const;

class Reference implements AwaitedReference {
  @ApiProperty({ enum: ['brand', 'category', 'sku'] })
  readonly kind!: AwaitedReference['kind'];

  @ApiProperty()
  readonly externalReference!: string;
}

/** A record without an outcome. */
export class OpenRecord extends ShownOpenCommand {
  @ApiProperty({ type: String, nullable: true, description: 'Why the next call could not be made yet' })
  readonly blocked!: string | null;

  @ApiProperty({ type: [Reference], description: 'References that it waits for' })
  readonly waitingFor!: readonly AwaitedReference[];

  @ApiProperty({ type: [String] })
  readonly operationIds!: readonly string[];
}

class ShownEntity {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly externalReference!: string;

  @ApiProperty({ type: [OpenRecord], description: 'The oldest first; at most 50' })
  readonly open!: readonly OpenRecord[];
}

/** A price or stock of a SKU. */
class ShownValue {
  @ApiProperty({ enum: ['price', 'stock'] })
  readonly kind!: string;

  @ApiProperty()
  readonly skuExternalReference!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly warehouse!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly policy!: string | null;

  @ApiProperty({ ...ANY_OBJECT, nullable: true, description: 'As last applied; null if that is unknown' })
  readonly applied!: JsonRecord | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly appliedAt!: string | null;
}

export class ShownProduct extends ShownEntity {
  @ApiProperty({ description: 'The shop was seen to have it' })
  readonly exists!: boolean;

  @ApiProperty({ type: [String], description: 'SKUs that the shop was seen to have' })
  readonly skus!: readonly string[];

  @ApiProperty({ ...ANY_OBJECT, description: 'Values last applied: of the product, and of each SKU' })
  readonly applied!: KnownProduct['applied'];

  @ApiProperty(VERSION)
  readonly sourceVersion!: string | null;

  @ApiProperty({
    ...ANY_OBJECT,
    nullable: true,
    description: 'How the last record ended: commandId, command, outcome, reason, the first 10 errors, finishedAt',
  })
  readonly lastEnd!: KnownProduct['lastEnd'];

  @ApiProperty({ type: [ShownValue], description: 'Prices and stock of its SKUs' })
  readonly values!: readonly ShownValue[];
}

/** A record about a product, or about a price or stock of one of its SKUs. */
export class ShownRecord {
  @ApiProperty({ description: 'For `before`' })
  readonly id!: string;

  @ApiProperty({ enum: Object.keys(CATALOG_TOPICS) })
  readonly kind!: string;

  @ApiProperty({ description: 'Of the product or SKU' })
  readonly externalReference!: string;

  @ApiProperty()
  readonly commandId!: string;

  @ApiProperty({ description: 'upsert or delete, as the ERP wrote it' })
  readonly command!: string;

  @ApiProperty()
  readonly receivedAt!: Date;

  @ApiProperty({ enum: FINAL_OUTCOMES, nullable: true, type: String, description: 'Null while it has none' })
  readonly outcome!: FinalOutcome | null;

  @ApiProperty({ nullable: true, type: Date })
  readonly finishedAt!: Date | null;

  @ApiProperty({ nullable: true, type: String })
  readonly loadId!: string | null;
}

export class RecordsQuery extends PageQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;
}

export class ShownReference extends ShownEntity {
  @ApiProperty({ description: 'Known: products need not wait for it' })
  readonly exists!: boolean;

  @ApiProperty({ description: 'Something was sent over it, and nobody knows whether it entered' })
  readonly inDoubt!: boolean;

  @ApiProperty({ type: String, nullable: true })
  readonly parent!: string | null;

  @ApiProperty({ ...ANY_OBJECT, nullable: true, description: 'Whole, as last applied' })
  readonly record!: JsonRecord | null;

  @ApiProperty(VERSION)
  readonly sourceVersion!: string | null;
}

/** Open records of one kind of entity of one tenant. */
export class CatalogCounts {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ enum: Object.keys(CATALOG_TOPICS) })
  readonly kind!: string;

  @ApiProperty({ type: 'integer' })
  readonly open!: number;

  @ApiProperty({ type: 'integer', description: 'Of these, those without an outcome yet' })
  readonly sent!: number;

  @ApiProperty({ type: 'integer', description: 'Entities of which a record waits for references' })
  readonly waiting!: number;
}
