import { Field } from '../schemas/field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';

/** Withdraws a command of the same order that was not sent yet; makes no call. */
export class WithdrawCommandDto extends OrderCommandDto {
  @Field({ type: 'identity', required: 'always', about: '`commandId` of a command that was not sent yet' })
  withdraws!: string;
}
