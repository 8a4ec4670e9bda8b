import { Database } from '@gondola/service-kit/database/database';
import { type CodeAndName, orderStatus } from '@gondola/shared/orders/order-statuses';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, IsNull, LessThan, Not, Raw } from 'typeorm';
import type { Attention } from '../orders/order-event.ts';
import { OrderEntity } from '../orders/order.entity.ts';

/** Which orders are wanted. */
export interface OrderFilter {
  readonly tenant: string | undefined;
  readonly status: number | undefined;
  /** For which its status has lasted at least, in milliseconds. */
  readonly olderThanMs: number | undefined;
  /** Only those for which somebody is needed, or only those for which nobody is. */
  readonly attention?: boolean | undefined;
}

/** An order in a list, without personal data. */
export interface ListedOrder {
  /** Its place in the list: to be given as `before`. */
  readonly id: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string | null;
  readonly status: CodeAndName | null;
  /** When its status became known here, RFC 3339. */
  readonly statusSince: string;
  /** The last published revision; 0 before the first. */
  readonly revision: number;
  /** What somebody is needed for, since when, and who. */
  readonly attention: readonly Attention[];
}

/** Reads the table `orders` for operators. */
@Injectable()
export class OrderSearchRepository {
  constructor(private readonly database: Database) {}

  /** Those whose place is below `before`, the newest order first, at most `limit`. */
  async list(filter: OrderFilter, before: string, limit: number): Promise<ListedOrder[]> {
    const found = await this.database
      .repository(OrderEntity)
      .find({ where: { laneId: LessThan(before), ...whereOf(filter) }, order: { laneId: 'DESC' }, take: limit });
    return found.map(listed);
  }
}

function whereOf({ tenant, status, olderThanMs, attention }: OrderFilter): FindOptionsWhere<OrderEntity> {
  return {
    ...(tenant !== undefined && { tenant }),
    ...(status !== undefined && { status }),
    ...(attention !== undefined && { attention: attention ? Not(IsNull()) : IsNull() }),
    ...(olderThanMs !== undefined && {
      statusSince: Raw((since) => `${since} <= clock_timestamp() - :olderThanMs * interval '1 millisecond'`, {
        olderThanMs,
      }),
    }),
  };
}

function listed(order: OrderEntity): ListedOrder {
  const { laneId: id, tenant, orderNumber, orderId, status, statusSince, revision, attention } = order;
  return {
    id,
    tenant,
    orderNumber,
    orderId,
    status: status === null ? null : orderStatus(status),
    statusSince: statusSince.toISOString(),
    revision,
    attention: attention ?? [],
  };
}
