import type { Digits } from '../json/json-digits.ts';
import { Field } from './field.decorators.ts';

/** The fields of every order command (contract, "Order commands"). */
export class OrderCommandDto {
  @Field({ type: 'identity', required: 'always' }) commandId!: string;
  @Field({ type: 'text', required: 'always' }) command!: string;
  /** An integer; decimal text is accepted. */
  @Field({ type: 'order-number', required: 'always' }) orderNumber!: number | Digits | string;
  /** With an offset; no part of what makes two commands equal. */
  @Field({ type: 'time' }) requestedAt?: string | null;
  @Field({ type: 'text' }) requestedBy?: string | null;
  @Field({ type: 'text' }) tenant?: string | null;
}
