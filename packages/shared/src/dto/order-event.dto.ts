import type { JsonValue } from '../json/json-digits.ts';
import { ORDER_STATUSES, type OrderStatusEvent } from '../orders/order-statuses.ts';
import { CodeAndNameDto, OrderViewDto } from './order-view.dto.ts';
import { Published } from './published.decorators.ts';

/** The events of statuses, and those of none: the first one of an order, one of values alone, one for people. */
export type OrderEventType = OrderStatusEvent | 'OrderApproved' | 'OrderChanged' | 'OrderNeedsAttention';

const ORDER_EVENT_TYPES: readonly OrderEventType[] = [
  'OrderApproved',
  ...Object.values(ORDER_STATUSES).flatMap(({ event }) => event ?? []),
  'OrderChanged',
  'OrderNeedsAttention',
];

/** What an order may need somebody for. */
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

/** Why an order needs somebody. */
export class AttentionDto {
  @Published({ type: 'word', choices: ATTENTION_CODES, open: true }) readonly code!: AttentionCode;
  @Published({ type: 'time' }) readonly since!: string;
  @Published({ type: 'word', choices: PARTIES, about: 'Whose turn it is' })
  readonly waitsFor!: (typeof PARTIES)[number];
}

/** The platform, a read after a lost notification, or a release. */
export class PlatformCauseDto {
  @Published({ type: 'word', choices: ['platform', 'recovered', 'released'] })
  readonly kind!: 'platform' | 'recovered' | 'released';
}

export class CommandCauseDto {
  @Published({ type: 'word', choices: ['command'] }) readonly kind!: 'command';
  @Published({ type: 'text' }) readonly commandId!: string;
}

/** An order event but for `platform`. */
export class OrderEventHeadDto {
  @Published({ type: 'text', about: 'The dedup key: equal for a repeat' }) readonly id!: string;
  @Published({ type: 'word', choices: ORDER_EVENT_TYPES, open: true }) readonly type!: OrderEventType;
  @Published({ type: 'text' }) readonly tenant!: string;
  @Published({ type: 'time' }) readonly time!: string;
  @Published({ type: 'integer' }) readonly orderNumber!: number;
  @Published({ type: 'integer', about: '1, 2, 3 … per order, without gaps' }) readonly revision!: number;
  @Published({
    type: 'record',
    of: () => CodeAndNameDto,
    nullable: true,
    about: "The status before, those of own commands included; null on the order's first event",
  })
  readonly previousStatus!: CodeAndNameDto | null;
  @Published({ type: 'record', of: () => CodeAndNameDto }) readonly status!: CodeAndNameDto;
  @Published({ type: 'text', list: true, about: 'The parts that are another than in the event before' })
  readonly changes!: readonly string[];
  @Published({ type: 'boolean', about: 'True while the ERP must not go on picking' }) readonly hold!: boolean;
  @Published({ type: 'record', of: () => AttentionDto, nullable: true }) readonly attention!: AttentionDto | null;
  @Published({ type: 'record', of: () => [PlatformCauseDto, CommandCauseDto], about: 'What brought it about' })
  readonly cause!: PlatformCauseDto | CommandCauseDto;
  @Published({ type: 'record', of: () => OrderViewDto, about: 'The whole order' }) readonly order!: OrderViewDto;
  @Published({
    type: 'text',
    list: true,
    optional: true,
    about: 'What was left out of an event that was too large for its topic: `platform`, `order`, `order.items`',
  })
  readonly cut?: readonly string[];
}

/** An order event (contract, "Order events"). */
export class OrderEventDto extends OrderEventHeadDto {
  @Published({
    type: 'json',
    about: "The platform's own `data`, byte for byte as received, or null. It holds personal data",
  })
  readonly platform!: JsonValue;
}
