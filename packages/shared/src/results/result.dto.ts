import type { JsonValue } from '../json/json-digits.ts';
import {
  EVIDENCES,
  type Evidence,
  FINAL_OUTCOMES,
  type FinalOutcome,
  type Outcome,
  OUTCOMES,
} from '../outcomes/outcomes.ts';
import { Field, LONG_INTEGER } from '../schemas/field.decorators.ts';
import { VALUE_KINDS, type ValueKind } from '../topics/values.ts';
import { FieldReasonDto, ReasonDto } from '../outcomes/reason.dto.ts';

/** `type` of every result, and its `ce_type`. */
export const RESULT_TYPE = 'gondola.result.v1';

/** Subject of a command or record, in the ERP's names. */
export type ResultEntity =
  | { readonly kind: 'order'; readonly orderNumber: number }
  | { readonly kind: 'product' | 'brand' | 'category' | 'sku'; readonly externalReference: string }
  | {
      readonly kind: ValueKind;
      readonly externalReference: string;
      readonly warehouse?: string;
      readonly policy?: string;
    }
  | { readonly kind: 'file'; readonly entityId: string };

const ENTITIES = ['order', 'product', 'brand', 'category', 'sku', ...VALUE_KINDS.toSorted(), 'file'] as const;

/** All fields of an entity as one object: classes of other languages cannot tell alternatives of a union apart. */
export class ResultEntityDto {
  @Field({ type: 'choice', choices: ENTITIES }) readonly kind!: ResultEntity['kind'];
  @Field({ ...LONG_INTEGER, optional: true, about: 'With kind `order`, and only then' }) readonly orderNumber?: number;
  @Field({ type: 'text', optional: true, about: 'With each kind but `order` and `file`' })
  readonly externalReference?: string;
  @Field({ type: 'text', optional: true, about: 'Only with `price`, `stock` and `warehouse`, and not always' })
  readonly warehouse?: string;
  @Field({ type: 'text', optional: true, about: 'Only with `price`, `stock` and `warehouse`, and not always' })
  readonly policy?: string;
  @Field({ type: 'text', optional: true, about: 'With kind `file`, and only then' }) readonly entityId?: string;
}

/** A reference that a waiting record waits for. */
export class AwaitedReferenceDto {
  @Field({ type: 'choice', choices: ['brand', 'category', 'sku'] }) readonly kind!: 'brand' | 'category' | 'sku';
  @Field({ type: 'text' }) readonly externalReference!: string;
}

/** The outcome of one SKU of a product. */
export class SkuOutcomeDto {
  @Field({ type: 'text' }) readonly externalReference!: string;
  @Field({ type: 'choice', choices: FINAL_OUTCOMES }) readonly outcome!: FinalOutcome;
  @Field({ type: 'list', of: () => FieldReasonDto }) readonly errors!: readonly FieldReasonDto[];
}

/** One record on a result topic (contract, "Results"). */
export class ResultDto {
  @Field({ type: 'text', about: 'The dedup key: equal for a repeat' }) readonly id!: string;
  @Field({ type: 'choice', choices: [RESULT_TYPE] }) readonly type!: typeof RESULT_TYPE;
  @Field({ type: 'text' }) readonly tenant!: string;
  @Field({ type: 'time' }) readonly time!: string;
  @Field({ type: 'text', about: "The command's `commandId`, or the id of a catalog record" })
  readonly commandId!: string;
  @Field({ type: 'text', nullable: true, about: 'Only for a command that another command caused' })
  readonly parentCommandId!: string | null;
  @Field({ type: 'text', about: "The command's name as it was written, or the `op` of a catalog record" })
  readonly command!: string;
  @Field({
    type: 'record',
    of: () => ResultEntityDto,
    nullable: true,
    about: 'Entity of the command; null if it names no readable one',
  })
  readonly entity!: ResultEntity | null;
  @Field({ type: 'choice', choices: OUTCOMES }) readonly outcome!: Outcome;
  @Field({ type: 'boolean', about: 'Only `waiting` is not final' }) readonly final!: boolean;
  @Field({ ...LONG_INTEGER, nullable: true, about: 'Last published revision of the order' })
  readonly revision!: number | null;
  @Field({ type: 'record', of: () => ReasonDto, nullable: true }) readonly reason!: ReasonDto | null;
  @Field({ type: 'list', of: () => FieldReasonDto }) readonly errors!: readonly FieldReasonDto[];
  @Field({ type: 'list', of: () => FieldReasonDto }) readonly warnings!: readonly FieldReasonDto[];
  @Field({ type: 'any', about: 'The answer of a command that reads, or the state that a command left; null for none' })
  readonly data!: JsonValue;
  @Field({ type: 'choice', choices: EVIDENCES }) readonly evidence!: Evidence;
  @Field({ type: 'text-list', about: "The platform's ids of the operations" })
  readonly operationIds!: readonly string[];
  @Field({ type: 'integer', about: 'Number of attempts at a change that may have reached the platform' })
  readonly attempts!: number;
  @Field({ type: 'time' }) readonly receivedAt!: string;
  @Field({ type: 'time', nullable: true, about: 'Null while the command is open' })
  readonly finishedAt!: string | null;
  @Field({ type: 'any', about: "The platform's error object; null for none" }) readonly platform!: JsonValue;
  @Field({ type: 'list', of: () => SkuOutcomeDto, optional: true, about: 'Products only' })
  readonly skus?: readonly SkuOutcomeDto[];
  @Field({ type: 'list', of: () => AwaitedReferenceDto, optional: true, about: '`waiting` only' })
  readonly for?: readonly AwaitedReferenceDto[];
  @Field({
    type: 'text',
    nullable: true,
    optional: true,
    about:
      "Only in the `invalid` result of a conflicting repeat: id of the first command's result, null while there is none",
  })
  readonly conflictsWith?: string | null;
  @Field({ type: 'choice', choices: FINAL_OUTCOMES, optional: true, about: '`corrected` only' })
  readonly correctedOutcome?: FinalOutcome;
  @Field({ type: 'text', optional: true, about: '`corrected` only: id of the result that this one replaces' })
  readonly corrects?: string;
}
