import { Database } from '@gondola/service-kit/database/database';
import { type CodeAndName, orderStatus } from '@gondola/shared/orders/order-statuses';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, IsNull, LessThan, Not, Raw } from 'typeorm';
import type { Attention } from '../orders/order-event.ts';
import { OrderEntity } from '../orders/order.entity.ts';

/** Filter of the order list. */
export interface OrderFilter {
  readonly tenant: string | undefined;
  readonly status: number | undefined;
  /** Minimum time in the current status, in milliseconds. */
  readonly olderThanMs: number | undefined;
  /** Only orders that need attention (true), or only those that do not (false). */
  readonly attention?: boolean | undefined;
}

/** An order in a list, without personal data. */
export interface ListedOrder {
  /** Position in the list, a value for `before`. */
  readonly id: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string | null;
  readonly status: CodeAndName | null;
  /** Time at which Gondola learnt of the status, RFC 3339. */
  readonly statusSince: string;
  /** The last published revision; 0 before the first. */
  readonly revision: number;
  /** Attention that the order needs: code, begin and who must act. */
  readonly attention: readonly Attention[];
}

/** Reads the table `orders` for operators. */
@Injectable()
export class OrderSearchRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` orders below `before`, newest first. */
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
