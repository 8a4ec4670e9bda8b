import { Must } from '@gondola/service-kit/http/request-fields';
import { ONE_VALUE, Open } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import type { ReadDifference } from '../product-state/read-back.ts';
import type { ComparedProduct } from './compare-product.ts';
import { type ComparedPage, MOST_COUNTED } from './compare-products.service.ts';

const MAX_RECORDS = 50;

/** A request to compare products with the shop: those of records, or all that Gondola knows. */
export class ComparisonRequest {
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_RECORDS,
    description: 'Product records as JSON texts; without them, the products that Gondola knows',
  })
  @Must(isTexts, `records is a list of 1 to ${MAX_RECORDS} JSON texts`)
  readonly records?: readonly string[];

  @ApiPropertyOptional({ type: String, description: 'Of the known products, those behind this reference' })
  @Must((after) => after === undefined || typeof after === 'string', 'after is a reference')
  readonly after?: string;

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Publish SKUs as the shop has them' })
  @Must((adopt) => typeof adopt === 'boolean', 'adopt is true or false')
  readonly adopt: boolean = false;
}

const VALUE = { ...ONE_VALUE, description: 'Value of the field; other JSON is of no known form' };

class ShownDifference implements ReadDifference {
  @Open({ required: false, description: 'Of one of its SKUs' })
  readonly skuExternalReference?: string;

  @Open({ description: 'In the names of the input tables' })
  readonly field!: string;

  @Open(VALUE)
  readonly expected!: ReadDifference['expected'];

  @Open(VALUE)
  readonly found!: ReadDifference['found'];
}

/** Comparison of one product. */
export class ShownComparison implements ComparedProduct {
  @Open({ type: String, nullable: true, description: 'Null: the record does not say it' })
  readonly externalReference!: string | null;

  @Open({ enum: ['same', 'differs', 'absent', 'refused', 'unreadable'] })
  readonly state!: ComparedProduct['state'];

  @Open({ type: [ShownDifference] })
  readonly differences!: readonly ShownDifference[];

  @Open({ type: [String], description: 'SKUs that the shop has otherwise than they were published' })
  readonly skusToPublish!: readonly string[];

  @Open({ description: 'Their publication was begun' })
  readonly adopted!: boolean;
}

class Stop implements NonNullable<ComparedPage['stopped']> {
  @Open()
  readonly cause!: string;

  @Open({ description: 'Milliseconds after which it may go on' })
  readonly retryAfterMs!: number;
}

/** Compared products, as many as the time allowed. */
export class ComparisonAnswer implements ComparedPage {
  @Open({ type: [ShownComparison], description: 'With records: of those at the beginning of the list' })
  readonly products!: readonly ShownComparison[];

  @Open({ type: String, nullable: true, description: 'For `after`; null: no known product is left' })
  readonly next!: string | null;

  @Open({
    type: 'integer',
    maximum: MOST_COUNTED,
    description: 'Known products behind `next`, or that many of them',
  })
  readonly remaining!: number;

  @Open({ type: Stop, nullable: true, description: 'The platform is away; null: it answered' })
  readonly stopped!: ComparedPage['stopped'];
}

function isTexts(value: unknown): boolean {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_RECORDS &&
    value.every((each) => typeof each === 'string')
  );
}
