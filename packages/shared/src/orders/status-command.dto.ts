import { Field } from '../schemas/field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';

/**
 * `MarkReady`, `Ship`, `ConfirmDelivery`, `ReportDeliveryFailure`, `RegisterReturn`: each sets a status by PATCH.
 * Their additional fields are stored, but not sent.
 */
export class StatusCommandDto extends OrderCommandDto {
  @Field({ type: 'text' }) reason?: string | null;
  @Field({ type: 'text' }) carrier?: string | null;
  @Field({ type: 'text' }) tracking?: string | null;
}
