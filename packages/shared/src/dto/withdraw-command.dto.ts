import { Field } from './field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';

/** Takes back a command of the same order that was not sent yet; nothing is called. */
export class WithdrawCommandDto extends OrderCommandDto {
  /** `commandId` of that command. */
  @Field({ type: 'identity', required: 'always' }) withdraws!: string;
}
