import type { JsonValue } from '../json/json-digits.ts';
import { ORDER_STATUSES, type OrderStatusEvent } from './order-statuses.ts';
import { CodeAndNameDto, OrderViewDto } from './order-view.dto.ts';
import { Field, LONG_INTEGER } from '../schemas/field.decorators.ts';

/**
 * Events of statuses, the first event of an order, one for a return to an earlier status, one for changed values, and
 * one that asks for an operator's attention.
 */
export type OrderEventType =
  | OrderStatusEvent
  | 'OrderApproved'
  | 'OrderReopened'
  | 'OrderChanged'
  | 'OrderNeedsAttention';

const ORDER_EVENT_TYPES: readonly OrderEventType[] = [
  'OrderApproved',
  ...Object.values(ORDER_STATUSES).flatMap(({ event }) => event ?? []),
  'OrderReopened',
  'OrderChanged',
  'OrderNeedsAttention',
];

/** Reasons why an order requires attention. */
export const ATTENTION_CODES = [
  'PAID_NOTICE_MISSING',
  'NOT_PREPARED',
  'PICKING_UNCONFIRMED',
  'PDF_MISSING',
  'NOT_INVOICED',
  'CANCEL_UNFINISHED',
  'REFUND_UNFINISHED',
] as const;

export type AttentionCode = (typeof ATTENTION_CODES)[number];

const PARTIES = ['erp', 'platform', 'gondola', 'operator'] as const;

/** Reason why an order requires attention. */
export class AttentionDto {
  @Field({ type: 'choice', choices: ATTENTION_CODES, open: true }) readonly code!: AttentionCode;
  @Field({ type: 'time' }) readonly since!: string;
  @Field({ type: 'choice', choices: PARTIES, about: 'Party that has to act next' })
  readonly waitsFor!: (typeof PARTIES)[number];
}

/** Source of an event: the platform, a read after a lost notification, a release, or a command. */
export type EventCause =
  | { readonly kind: 'platform' | 'recovered' | 'released' }
  | { readonly kind: 'command'; readonly commandId: string };

/** All fields of a cause as one object: classes of other languages cannot tell alternatives of a union apart. */
export class EventCauseDto {
  @Field({ type: 'choice', choices: ['platform', 'recovered', 'released', 'command'] })
  readonly kind!: EventCause['kind'];
  @Field({ type: 'text', optional: true, about: 'With kind `command`, and only then' }) readonly commandId?: string;
}

/** An order event without its field `platform`. */
export class OrderEventHeadDto {
  @Field({ type: 'text', about: 'The dedup key: equal for a repeat' }) readonly id!: string;
  @Field({ type: 'choice', choices: ORDER_EVENT_TYPES, open: true }) readonly type!: OrderEventType;
  @Field({ type: 'text' }) readonly tenant!: string;
  @Field({ type: 'time' }) readonly time!: string;
  @Field(LONG_INTEGER) readonly orderNumber!: number;
  @Field({ ...LONG_INTEGER, about: '1, 2, 3 … per order; it jumps by 1,000 after a restored backup' })
  readonly revision!: number;
  @Field({
    type: 'record',
    of: () => CodeAndNameDto,
    nullable: true,
    about: "Previous status, which may come from a command; null in the order's first event",
  })
  readonly previousStatus!: CodeAndNameDto | null;
  @Field({ type: 'record', of: () => CodeAndNameDto }) readonly status!: CodeAndNameDto;
  @Field({ type: 'text-list', about: 'Parts that differ from the previous event' })
  readonly changes!: readonly string[];
  @Field({ type: 'boolean', about: 'True while the ERP must not go on picking' }) readonly hold!: boolean;
  @Field({ type: 'record', of: () => AttentionDto, nullable: true }) readonly attention!: AttentionDto | null;
  @Field({ type: 'record', of: () => EventCauseDto, about: 'Cause of the event' }) readonly cause!: EventCause;
  @Field({ type: 'record', of: () => OrderViewDto, about: 'The whole order' }) readonly order!: OrderViewDto;
  @Field({
    type: 'text-list',
    optional: true,
    about:
      'Fields that were left out because the event was too large for its topic: `platform`, `order`, `order.items`',
  })
  readonly cut?: readonly string[];
  @Field({
    type: 'text-list',
    optional: true,
    about:
      'Fields of `order` that are null because what the platform sent was not understood, and lists that are empty because it sent none',
  })
  readonly unread?: readonly string[];
}

/** An order event (contract, "Order events"). */
export class OrderEventDto extends OrderEventHeadDto {
  @Field({
    type: 'any',
    about: "The platform's own `data`, byte for byte as received, or null. It holds personal data",
  })
  readonly platform!: JsonValue;
}
