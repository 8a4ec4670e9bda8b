import { REASON_TEXTS_PT } from './reason-texts.ts';
import { Field } from '../schemas/field.decorators.ts';

type ReasonCode = keyof typeof REASON_TEXTS_PT;

const REASON_CODES = Object.keys(REASON_TEXTS_PT);
const MESSAGE = 'A sentence in the language of the tenant';
const HINT = 'What was probably meant';

/** `reason` of a result (contract, "Results"). */
export class ReasonDto {
  @Field({ type: 'choice', choices: REASON_CODES, open: true }) readonly code!: ReasonCode;
  @Field({ type: 'text', about: MESSAGE }) readonly message!: string;
  @Field({ type: 'text', optional: true, about: 'Field concerned' }) readonly field?: string;
  @Field({ type: 'text', optional: true, about: HINT }) readonly hint?: string;
}

/** An entry of `errors[]` or `warnings[]`, in the ERP's names. */
export class FieldReasonDto {
  @Field({ type: 'text', optional: true, about: 'Reference of the SKU concerned' })
  readonly skuExternalReference?: string;
  @Field({ type: 'text', about: 'Name of the field in the record' }) readonly field!: string;
  @Field({ type: 'choice', choices: REASON_CODES, open: true }) readonly code!: ReasonCode;
  @Field({ type: 'text', about: MESSAGE }) readonly message!: string;
  @Field({ type: 'text', optional: true, about: HINT }) readonly hint?: string;
}
