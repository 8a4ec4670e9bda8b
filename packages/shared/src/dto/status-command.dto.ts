import { Field } from './field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';

/**
 * `MarkReady`, `Ship`, `ConfirmDelivery`, `ReportDeliveryFailure`, `RegisterReturn`: each sets a status by PATCH. What
 * they add is stored, not sent.
 */
export class StatusCommandDto extends OrderCommandDto {
  @Field({ type: 'text' }) reason?: string | null;
  @Field({ type: 'text' }) carrier?: string | null;
  @Field({ type: 'text' }) tracking?: string | null;
}
