import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import { FieldReasonDto } from '@gondola/shared/outcomes/reason.dto';
import { AwaitedReferenceDto } from '@gondola/shared/results/result.dto';
import { Must } from '@gondola/service-kit/http/request-fields';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { Open, openRecord } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { CATALOG_TOPICS, type CatalogKind, isCatalogKind } from '../records/catalog-kinds.ts';
import { type JudgedRecord, PREDICTED } from './judged-record.ts';

const MAX_RECORDS = 500;
const KINDS = Object.keys(CATALOG_TOPICS);
const REASONS = { type: 'array', items: openRecord(FieldReasonDto) } as const;

/** Records to check, each as the JSON text that an ERP would produce. */
export class PreflightRequest {
  @ApiPropertyOptional({ enum: KINDS, default: 'product' })
  @Must((kind) => typeof kind === 'string' && isCatalogKind(kind), `kind is one of: ${KINDS.join(', ')}`)
  readonly kind: CatalogKind = 'product';

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_RECORDS,
    description: 'JSON texts, so that their digits stay',
  })
  @Must(isTexts, `records is a list of 1 to ${MAX_RECORDS} JSON texts`)
  readonly records!: readonly string[];
}

/** Predicted outcome of one record. */
export class CheckedRecord implements JudgedRecord {
  @Open({ enum: PREDICTED, description: 'unreadable: a dead letter; repeated: came before, nothing happens' })
  readonly outcome!: JudgedRecord['outcome'];

  @Open({ ...REASONS, description: 'As `errors` of a result' })
  readonly errors!: readonly FieldReason[];

  @Open({ ...REASONS, description: 'As `warnings` of a result' })
  readonly warnings!: readonly FieldReason[];

  @Open({
    type: 'array',
    items: openRecord(AwaitedReferenceDto),
    description: 'Brands, categories and SKUs that are not known yet',
  })
  readonly waitsFor!: readonly AwaitedReference[];
}

/** One entry per record, in the order of the request. */
export class PreflightAnswer {
  @Open({ type: [CheckedRecord] })
  readonly records!: readonly CheckedRecord[];
}

function isTexts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_RECORDS &&
    value.every((each) => typeof each === 'string')
  );
}
