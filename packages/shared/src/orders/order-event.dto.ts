import type { JsonValue } from '../json/json-digits.ts';
import { ORDER_STATUSES, type OrderStatusEvent } from './order-statuses.ts';
import { CodeAndNameDto, OrderViewDto } from './order-view.dto.ts';
import { Field } from '../schemas/field.decorators.ts';

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

/** Source of an event: the platform, a read after a lost notification, or a release. */
export class PlatformCauseDto {
  @Field({ type: 'choice', choices: ['platform', 'recovered', 'released'] })
  readonly kind!: 'platform' | 'recovered' | 'released';
}

export class CommandCauseDto {
  @Field({ type: 'choice', choices: ['command'] }) readonly kind!: 'command';
  @Field({ type: 'text' }) readonly commandId!: string;
}

/** An order event without its field `platform`. */
export class OrderEventHeadDto {
  @Field({ type: 'text', about: 'The dedup key: equal for a repeat' }) readonly id!: string;
  @Field({ type: 'choice', choices: ORDER_EVENT_TYPES, open: true }) readonly type!: OrderEventType;
  @Field({ type: 'text' }) readonly tenant!: string;
  @Field({ type: 'time' }) readonly time!: string;
  @Field({ type: 'integer' }) readonly orderNumber!: number;
  @Field({ type: 'integer', about: '1, 2, 3 … per order, without gaps' }) readonly revision!: number;
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
  @Field({ type: 'record', of: () => [PlatformCauseDto, CommandCauseDto], about: 'Cause of the event' })
  readonly cause!: PlatformCauseDto | CommandCauseDto;
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
