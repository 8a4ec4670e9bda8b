import type { JsonValue } from '../json/json-digits.ts';
import { Field } from '../schemas/field.decorators.ts';

/**
 * A notification of the platform as webhook-ingest publishes it, byte for byte (docs/platform.md, "Notification
 * envelope").
 */
export class NotificationDto {
  @Field({ type: 'text', about: 'Id of the batch or operation; not unique' }) readonly operationId!: string;
  @Field({ type: 'text' }) readonly contractAccountId!: string;
  @Field({ type: 'text' }) readonly relatedEntity!: string;
  @Field({ type: 'text' }) readonly eventType!: string;
  @Field({ type: 'any', optional: true, about: 'The entity, or the report on its processing' })
  readonly data?: JsonValue;
  @Field({ type: 'any', optional: true, about: 'Error of a failed operation' }) readonly error?: JsonValue;
}
