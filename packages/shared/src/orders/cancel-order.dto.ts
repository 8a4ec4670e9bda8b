import { Field } from '../schemas/field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';

/** POST cancel; progress at 750, applied at 800. */
export class CancelOrderDto extends OrderCommandDto {
  @Field({ type: 'text', required: 'always' }) reason!: string;
}
