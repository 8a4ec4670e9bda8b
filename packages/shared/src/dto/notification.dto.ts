import type { JsonValue } from '../json/json-digits.ts';
import { Published } from './published.decorators.ts';

/**
 * A notification of the platform as webhook-ingest passes it on, byte for byte (docs/platform.md, "Notification
 * envelope").
 */
export class NotificationDto {
  @Published({ type: 'text', about: 'Of the batch or operation: not unique' }) readonly operationId!: string;
  @Published({ type: 'text' }) readonly contractAccountId!: string;
  @Published({ type: 'text' }) readonly relatedEntity!: string;
  @Published({ type: 'text' }) readonly eventType!: string;
  @Published({ type: 'json', optional: true, about: 'The entity, or the report of what became of it' })
  readonly data?: JsonValue;
  @Published({ type: 'json', optional: true, about: 'Of a failure' }) readonly error?: JsonValue;
}
