import type { JsonValue } from '../json/json-digits.ts';
import { Published } from '../schemas/published.decorators.ts';

/**
 * A notification of the platform as webhook-ingest publishes it, byte for byte (docs/platform.md, "Notification
 * envelope").
 */
export class NotificationDto {
  @Published({ type: 'text', about: 'Id of the batch or operation; not unique' }) readonly operationId!: string;
  @Published({ type: 'text' }) readonly contractAccountId!: string;
  @Published({ type: 'text' }) readonly relatedEntity!: string;
  @Published({ type: 'text' }) readonly eventType!: string;
  @Published({ type: 'json', optional: true, about: 'The entity, or the report on its processing' })
  readonly data?: JsonValue;
  @Published({ type: 'json', optional: true, about: 'Error of a failed operation' }) readonly error?: JsonValue;
}
