import type { JsonValue } from '../json/json-digits.ts';
import {
  EVIDENCES,
  type Evidence,
  FINAL_OUTCOMES,
  type FinalOutcome,
  type Outcome,
  OUTCOMES,
} from '../outcomes/outcomes.ts';
import { Published } from '../schemas/published.decorators.ts';
import { VALUE_KINDS, type ValueKind } from '../topics/values.ts';
import { FieldReasonDto, ReasonDto } from '../outcomes/reason.dto.ts';

/** `type` of every result, and its `ce_type`. */
export const RESULT_TYPE = 'gondola.result.v1';

export class OrderEntityDto {
  @Published({ type: 'word', choices: ['order'] }) readonly kind!: 'order';
  @Published({ type: 'integer' }) readonly orderNumber!: number;
}

export class ReferenceEntityDto {
  @Published({ type: 'word', choices: ['product', 'brand', 'category', 'sku'] })
  readonly kind!: 'product' | 'brand' | 'category' | 'sku';
  @Published({ type: 'text' }) readonly externalReference!: string;
}

export class ValueEntityDto {
  @Published({ type: 'word', choices: VALUE_KINDS.toSorted() }) readonly kind!: ValueKind;
  @Published({ type: 'text' }) readonly externalReference!: string;
  @Published({ type: 'text', optional: true }) readonly warehouse?: string;
  @Published({ type: 'text', optional: true }) readonly policy?: string;
}

export class FileEntityDto {
  @Published({ type: 'word', choices: ['file'] }) readonly kind!: 'file';
  @Published({ type: 'text' }) readonly entityId!: string;
}

/** A reference that a waiting record waits for. */
export class AwaitedReferenceDto {
  @Published({ type: 'word', choices: ['brand', 'category', 'sku'] }) readonly kind!: 'brand' | 'category' | 'sku';
  @Published({ type: 'text' }) readonly externalReference!: string;
}

/** The outcome of one SKU of a product. */
export class SkuOutcomeDto {
  @Published({ type: 'text' }) readonly externalReference!: string;
  @Published({ type: 'word', choices: FINAL_OUTCOMES }) readonly outcome!: FinalOutcome;
  @Published({ type: 'record', of: () => FieldReasonDto, list: true }) readonly errors!: readonly FieldReasonDto[];
}

/** One record on a result topic (contract, "Results"). */
export class ResultDto {
  @Published({ type: 'text', about: 'The dedup key: equal for a repeat' }) readonly id!: string;
  @Published({ type: 'word', choices: [RESULT_TYPE] }) readonly type!: typeof RESULT_TYPE;
  @Published({ type: 'text' }) readonly tenant!: string;
  @Published({ type: 'time' }) readonly time!: string;
  @Published({ type: 'text', about: "The command's `commandId`, or the id of a catalog record" })
  readonly commandId!: string;
  @Published({ type: 'text', nullable: true, about: 'Only for a command that another command caused' })
  readonly parentCommandId!: string | null;
  @Published({ type: 'text', about: "The command's name as it was written, or the `op` of a catalog record" })
  readonly command!: string;
  @Published({
    type: 'record',
    of: () => [OrderEntityDto, ReferenceEntityDto, ValueEntityDto, FileEntityDto],
    nullable: true,
    about: 'Entity of the command; null if it names no readable one',
  })
  readonly entity!: OrderEntityDto | ReferenceEntityDto | ValueEntityDto | FileEntityDto | null;
  @Published({ type: 'word', choices: OUTCOMES }) readonly outcome!: Outcome;
  @Published({ type: 'boolean', about: 'Only `waiting` is not final' }) readonly final!: boolean;
  @Published({ type: 'integer', nullable: true, about: 'Last published revision of the order' })
  readonly revision!: number | null;
  @Published({ type: 'record', of: () => ReasonDto, nullable: true }) readonly reason!: ReasonDto | null;
  @Published({ type: 'record', of: () => FieldReasonDto, list: true }) readonly errors!: readonly FieldReasonDto[];
  @Published({ type: 'record', of: () => FieldReasonDto, list: true }) readonly warnings!: readonly FieldReasonDto[];
  @Published({ type: 'json', about: 'The answer of a command that reads; null for none' }) readonly data!: JsonValue;
  @Published({ type: 'word', choices: EVIDENCES }) readonly evidence!: Evidence;
  @Published({ type: 'text', list: true, about: "The platform's ids of the operations" })
  readonly operationIds!: readonly string[];
  @Published({ type: 'integer', about: 'Number of attempts at a change that may have reached the platform' })
  readonly attempts!: number;
  @Published({ type: 'time' }) readonly receivedAt!: string;
  @Published({ type: 'time', nullable: true, about: 'Null while the command is open' })
  readonly finishedAt!: string | null;
  @Published({ type: 'json', about: "The platform's error object; null for none" }) readonly platform!: JsonValue;
  @Published({ type: 'record', of: () => SkuOutcomeDto, list: true, optional: true, about: 'Products only' })
  readonly skus?: readonly SkuOutcomeDto[];
  @Published({ type: 'record', of: () => AwaitedReferenceDto, list: true, optional: true, about: '`waiting` only' })
  readonly for?: readonly AwaitedReferenceDto[];
  @Published({
    type: 'text',
    nullable: true,
    optional: true,
    about:
      "Only in the `invalid` result of a conflicting repeat: id of the first command's result, null while there is none",
  })
  readonly conflictsWith?: string | null;
  @Published({ type: 'word', choices: FINAL_OUTCOMES, optional: true, about: '`corrected` only' })
  readonly correctedOutcome?: FinalOutcome;
  @Published({ type: 'text', optional: true, about: '`corrected` only: id of the result that this one replaces' })
  readonly corrects?: string;
}
