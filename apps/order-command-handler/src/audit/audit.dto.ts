import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { Allow } from 'class-validator';
import { AUDIT_STATES, type AuditEntity } from './audit.entity.ts';
import { DIFFERENCE_KINDS, type DifferenceKind } from './compare-order.ts';
import { MONTH_FORM } from './month.ts';

const TIME = { type: String, format: 'date-time', nullable: true } as const;
const COUNT = { type: 'integer' } as const;
const FIGURE = { type: String, nullable: true } as const;

/** A request to audit a month. */
export class AuditRequest {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;

  @ApiProperty({
    type: String,
    pattern: MONTH_FORM,
    description: 'A month that is over, such as 2026-11, in the zone of the platform',
  })
  @Allow()
  readonly month: unknown;

  @ApiPropertyOptional({ type: Boolean, description: 'true begins anew where the audit of the month is finished' })
  @Allow()
  readonly again?: unknown;
}

/** Which audits are wanted. */
export class AuditsQuery {
  @QueryParameter('Only its audits')
  readonly tenant?: string;
}

export class AuditKind {
  @Open({ enum: DIFFERENCE_KINDS })
  readonly kind!: DifferenceKind;

  @Open(COUNT)
  readonly differences!: number;
}

/** Counted orders and cents of the month. Cancelled orders are in no sum. */
export class AuditSums {
  @Open(COUNT)
  readonly shopOrders!: number;

  @Open(COUNT)
  readonly shopCents!: number;

  @Open(COUNT)
  readonly publishedOrders!: number;

  @Open(COUNT)
  readonly publishedCents!: number;

  @Open({ ...COUNT, description: 'Orders for which the ERP registered an invoice' })
  readonly invoicedOrders!: number;

  @Open({ ...COUNT, description: 'Values of these invoices' })
  readonly invoicedCents!: number;

  @Open({ ...COUNT, description: 'Final prices of these orders at the shop' })
  readonly chargedCents!: number;
}

/** An audit of a month: how far it is, what differs and what it sums up to. */
export class Audit {
  @Open()
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open()
  readonly month!: string;

  @Open({ enum: AUDIT_STATES })
  readonly state!: AuditEntity['state'];

  @Open({ ...COUNT, description: 'Numbers that are read: of known orders, and of the gaps between them' })
  readonly numbers!: number;

  @Open({ ...COUNT, description: 'Numbers that are still to be read, or to be read once more' })
  readonly open!: number;

  @Open({ ...COUNT, description: 'Orders of the month so far' })
  readonly orders!: number;

  @Open(COUNT)
  readonly differing!: number;

  @Open({ ...COUNT, description: 'Orders whose personal data was erased: their figures are compared' })
  readonly erased!: number;

  @Open({ ...COUNT, description: 'Numbers in gaps of more than 1,000 numbers, which are not read' })
  readonly unreadNumbers!: number;

  @Open({ ...COUNT, description: 'Calls to the platform so far' })
  readonly reads!: number;

  @Open({ type: [AuditKind] })
  readonly kinds!: readonly AuditKind[];

  @Open({ type: AuditSums })
  readonly sums!: AuditSums;

  @Open({ ...TIME, nullable: false })
  readonly startedAt!: string;

  @Open(TIME)
  readonly finishedAt!: string | null;

  @Open(TIME)
  readonly estimatedEndAt!: string | null;
}

export class Audits {
  @Open({ type: [Audit], description: 'The newest first' })
  readonly entries!: readonly Audit[];
}

export class AuditDifference {
  @Open({ enum: DIFFERENCE_KINDS })
  readonly kind!: DifferenceKind;

  @Open({ ...FIGURE, description: 'The line, amount or command that it is about' })
  readonly about!: string | null;

  @Open({ ...FIGURE, description: 'What the shop shows' })
  readonly shop!: string | null;

  @Open({ ...FIGURE, description: 'What Gondola published' })
  readonly published!: string | null;

  @Open({ ...FIGURE, description: "What the ERP's commands said" })
  readonly erp!: string | null;
}

/** An order that differs; its timeline is at `/api/orders/{orderNumber}`. */
export class AuditedOrder {
  @Open({ description: 'Its place in the list' })
  readonly id!: string;

  @Open()
  readonly orderNumber!: string;

  @Open({ type: [AuditDifference] })
  readonly differences!: readonly AuditDifference[];

  @Open({ ...COUNT, description: 'Its share of shopCents − publishedCents' })
  readonly apartCents!: number;

  @Open({ ...COUNT, description: 'Its share of chargedCents − invoicedCents' })
  readonly invoiceApartCents!: number;
}
