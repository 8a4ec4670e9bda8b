import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { ShownOpenCommand } from '@gondola/messaging/commands/open-command.dto';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
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
