import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { NotificationEntity } from '../inbox/notification.entity.ts';
import { NOTIFICATION_STATES, type NotificationState } from './notification-filter.ts';
import { SHOWN_FIELDS } from './notification-search.repository.ts';

/** What notifications are searched by. */
export class NotificationsQuery extends PageQuery {
  @QueryParameter('Of one tenant')
  readonly tenant?: string;

  @QueryParameter('About one order')
  readonly orderNumber?: string;

  @QueryParameter('Of one operation of the platform')
  readonly operationId?: string;

  @QueryParameter('With this event name')
  readonly eventType?: string;

  @QueryParameter('With this relatedEntity')
  readonly entity?: string;

  @QueryParameter('About one entity, as it stands behind the kind in `subject`; needs entity; never an e-mail')
  readonly identity?: string;

  @QueryParameter('untold: stored and published to nobody; parked: refused by Kafka for good', NOTIFICATION_STATES)
  readonly state?: NotificationState;
}

/** A notification as operators see it: without its content. */
export class NotificationEntry extends PickType(NotificationEntity, SHOWN_FIELDS) {}

export class NotificationWithBody extends NotificationEntry {
  @ApiPropertyOptional({ type: String, nullable: true, description: 'With `body=true`; null where it was erased' })
  readonly bodyBase64?: string | null;
}
