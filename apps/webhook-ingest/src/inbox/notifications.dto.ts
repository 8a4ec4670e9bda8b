import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { PatternParameter, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { Personal } from '@gondola/service-kit/http/answer-fields';
import { NOTIFICATION_STATES, NotificationEntity, type NotificationState } from './notification.entity.ts';

/** Search parameters of the notifications. */
export class NotificationsQuery extends PageQuery {
  @QueryParameter('Only notifications of this tenant')
  readonly tenant?: string;

  @PatternParameter(
    'Only notifications about the order with this number',
    '^[0-9]{1,15}$',
    'orderNumber is a whole number',
  )
  readonly orderNumber?: string;

  @QueryParameter('Only notifications of this operation of the platform')
  readonly operationId?: string;

  @QueryParameter('Only notifications with this event name')
  readonly eventType?: string;

  @QueryParameter('Only notifications with this relatedEntity')
  readonly entity?: string;

  @QueryParameter(
    'Only notifications about this entity: the text after the kind in `subject`; requires entity; never an e-mail',
  )
  readonly identity?: string;

  @QueryParameter(
    'unpublished: stored but not published (untold is its deprecated name); parked: Kafka does not accept it as it is',
    NOTIFICATION_STATES,
  )
  readonly state?: NotificationState;
}

export class NotificationWithBody extends NotificationEntity {
  @Personal({
    required: false,
    type: String,
    nullable: true,
    description: 'Content in base64, only with `body=true`; null if it is erased',
  })
  readonly bodyBase64?: string | null;
}
