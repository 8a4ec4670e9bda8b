import type { CodeAndName } from '@gondola/shared/orders/order-statuses';
import type { OpenSteps } from '../orders/order-row.ts';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import {
  PatternParameter,
  QueryParameter,
  TimeParameter,
  WholeNumberParameter,
} from '@gondola/service-kit/http/request-fields';
import { Open, openRecord, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { Allow } from 'class-validator';
import type { FactSummary } from '../facts/order-fact.ts';
import { ATTENTION_CODES, type AttentionDto, type AttentionCode } from '@gondola/shared/orders/order-event.dto';
import { OrderViewDto } from '@gondola/shared/orders/order-view.dto';
import type { OrderValues } from '../facts/order-values.ts';
import type { OrderCounts } from '../orders/orders.repository.ts';
import { OpenOrderCommand, OrderStatus, PlatformError, TimelineStep } from './commands.dto.ts';
import type { OrderPeople } from './mask-people.ts';
import { ShownPeople } from './people.dto.ts';
import type { TimelineEntry } from './order-timeline.ts';
import type { ShownCommand } from './shown-command.ts';

const TIME = { type: String, format: 'date-time', nullable: true } as const;

const MAX_STATUS = 999_999_999;
const MAX_AGE_MS = 10 * 365 * 86_400_000;

/** Search criteria of orders. */
export class OrdersQuery extends PageQuery {
  @QueryParameter('Only its orders')
  readonly tenant?: string;

  @WholeNumberParameter('Only those in this status', { minimum: 0, maximum: MAX_STATUS })
  readonly status?: string;

  @WholeNumberParameter('Only those whose status has lasted so long', { minimum: 0, maximum: MAX_AGE_MS })
  readonly olderThanMs?: string;

  @QueryParameter('true: only orders that need attention', ['true', 'false'])
  readonly attention?: 'true' | 'false';

  @QueryParameter('true: only those that are no longer read, since nothing was heard of them for 30 days', ['true'])
  readonly givenUp?: 'true';

  @PatternParameter('Only those whose number begins with these digits', '^[0-9]{1,15}$', 'number is 1 to 15 digits')
  readonly number?: string;

  @TimeParameter('Only those whose status became known at or after this time')
  readonly from?: string;

  @TimeParameter('Only those whose status became known before this time')
  readonly to?: string;
}

class OrderAttention implements AttentionDto {
  @Open({ enum: ATTENTION_CODES })
  readonly code!: AttentionCode;

  @Open({ format: 'date-time' })
  readonly since!: string;

  @Open({ enum: ['erp', 'platform', 'gondola', 'operator'] })
  readonly waitsFor!: AttentionDto['waitsFor'];
}

/** Tenant of an order, and whether its personal data is shown. */
export class OrderQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;

  @QueryParameter('With personal data as they are; counted and logged', ['true', 'false'])
  readonly reveal?: 'true' | 'false';
}

/** Tenant of an order whose details are read at the core service. */
export class DetailsQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;
}

/** An order as the platform's core service shows it, with personal data. */
export class ShownDetails {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly orderNumber!: string;

  @Open()
  readonly orderId!: string;

  @Personal({ description: 'The answer as text, unchanged: its form is not documented' })
  readonly details!: string;

  @Open({ description: 'The answer has more than 1,000,000 characters, and only the first are shown' })
  readonly truncated!: boolean;
}

/** A request for a command that names nothing but its order. */
export class CommandRequest {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;
}

export class AskedCommand {
  @Open()
  readonly commandId!: string;

  @Open()
  readonly orderNumber!: string;
}

/** An order in a list, without personal data. */
export class OrderEntry {
  @Open({ description: 'Its place in the list' })
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open()
  readonly orderNumber!: string;

  @Open({ type: String, nullable: true })
  readonly orderId!: string | null;

  @Open({ type: OrderStatus, nullable: true })
  readonly status!: CodeAndName | null;

  @Open({ format: 'date-time', description: 'When its status became known here' })
  readonly statusSince!: string;

  @Open({ type: 'integer', description: 'The last published revision; 0 before the first' })
  readonly revision!: number;

  @Open({ type: [OrderAttention], description: 'Attention that the order needs: code, begin and who must act' })
  readonly attention!: readonly AttentionDto[];
}

class PublishedOrder {
  @Open({ type: 'integer', description: '0: not created' })
  readonly revision!: number;

  @Open({ type: OrderStatus, nullable: true })
  readonly status!: CodeAndName | null;
}

class ShownOpenSteps implements OpenSteps {
  @Open({ ...TIME, description: 'A picking was sent, and no 1300 came' })
  readonly pickingSince!: string | null;

  @Open({ ...TIME, description: 'The invoice is registered; without attachedAt its PDF is missing' })
  readonly registeredAt!: string | null;

  @Open({ ...TIME, description: 'The invoice has its PDF; before a 350 the status is missing' })
  readonly attachedAt!: string | null;
}

class ShownFact implements FactSummary {
  @Open({ enum: ['notification', 'read', 'release'] })
  readonly source!: FactSummary['source'];

  @Open()
  readonly eventType!: string;

  @Open({ type: String, nullable: true })
  readonly operationId!: string | null;

  @Open({ type: 'integer', nullable: true })
  readonly status!: number | null;

  @Open({ ...TIME, description: 'Null also for a time that is not understood; the timeline has its text' })
  readonly updatedAt!: string | null;

  @Open({ format: 'date-time' })
  readonly receivedAt!: string;

  @Open({ type: PlatformError, nullable: true })
  readonly error!: PlatformError | null;
}

const SHOWN_VALUES = ['createdAt', 'updatedAt', 'fulfilment', 'totals', 'items'] as const;

/** An order for operators; personal data is masked unless `reveal` is set. */
export class ShownOrder {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly orderNumber!: string;

  @Open({ type: String, nullable: true })
  readonly orderId!: string | null;

  @Open({ type: OrderStatus, nullable: true })
  readonly status!: CodeAndName | null;

  @Open({ description: 'A 300 is known' })
  readonly paid!: boolean;

  @Open({ description: 'Last published revision and status' })
  readonly published!: PublishedOrder;

  @Open({ description: 'Former name of published, until the next release', deprecated: true })
  readonly told!: PublishedOrder;

  @Open({ type: [OrderAttention], description: 'Attention that the order needs: code, begin and who must act' })
  readonly attention!: readonly AttentionDto[];

  @Open({ description: 'Steps begun at the platform, each since when' })
  readonly openSteps!: ShownOpenSteps;

  @Open({
    ...openRecord(OrderViewDto, { only: SHOWN_VALUES }),
    nullable: true,
    description: 'Times, fulfilment, totals and items, as an event would have them now',
  })
  readonly values!: Pick<OrderValues, (typeof SHOWN_VALUES)[number]> | null;

  @Open({
    type: ShownPeople,
    nullable: true,
    description: 'Customer, address and payments, masked without reveal',
  })
  readonly people!: OrderPeople | null;

  @Open({ type: [ShownFact], description: 'The oldest first' })
  readonly facts!: readonly FactSummary[];

  @Open({ type: [OpenOrderCommand], description: 'The oldest first; at most 50' })
  readonly openCommands!: readonly ShownCommand[];

  @Open({ type: [TimelineStep], description: 'The course of the order, the oldest first' })
  readonly timeline!: readonly TimelineEntry[];
}

class StatusCount {
  @Open({ type: 'integer', nullable: true })
  readonly status!: number | null;

  @Open({ type: 'integer' })
  readonly orders!: number;
}

class CommandCount {
  @Open()
  readonly command!: string;

  @Open({ type: 'integer' })
  readonly open!: number;
}

export class ShownCounts implements OrderCounts {
  @Open({ type: 'integer' })
  readonly skus!: number;

  @Open({ type: 'integer' })
  readonly orders!: number;

  @Open({ type: [StatusCount] })
  readonly byStatus!: readonly StatusCount[];

  @Open({ type: [CommandCount] })
  readonly openCommands!: readonly CommandCount[];
}
