import { Database } from '@gondola/service-kit/database/database';
import { orderStatus } from '@gondola/shared/orders/order-statuses';
import { Injectable } from '@nestjs/common';
import { And, type FindOptionsWhere, IsNull, LessThan, Like, MoreThan, MoreThanOrEqual, Not, Raw } from 'typeorm';
import { OrderEntity } from '../orders/order.entity.ts';
import type { OrderEntry } from './orders.dto.ts';

export interface OrderFilter {
  readonly tenant: string | undefined;
  readonly status: number | undefined;
  /** Minimum time in the current status, in milliseconds. */
  readonly olderThanMs: number | undefined;
  /** Only orders that need attention (true), or only those that do not (false). */
  readonly attention?: boolean | undefined;
  /** Only orders that recovery has given up. */
  readonly isGivenUp?: boolean | undefined;
  /** Beginning of the number. */
  readonly number?: string | undefined;
  /** RFC 3339; the current status became known from then on, and before `to`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads the table `orders` for operators. */
@Injectable()
export class OrderSearchRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` orders below `before`, newest first. */
  async list(filter: OrderFilter, before: string, limit: number): Promise<OrderEntry[]> {
    const found = await this.database
      .repository(OrderEntity)
      .find({ where: { laneId: LessThan(before), ...whereOf(filter) }, order: { laneId: 'DESC' }, take: limit });
    return found.map(listed);
  }
}

const AGO = "clock_timestamp() - :olderThanMs * interval '1 millisecond'";

function whereOf({
  tenant,
  status,
  olderThanMs,
  attention,
  isGivenUp,
  number,
  from,
  to,
}: OrderFilter): FindOptionsWhere<OrderEntity> {
  const since = [
    ...(olderThanMs === undefined ? [] : [Raw((at) => `${at} <= ${AGO}`, { olderThanMs })]),
    ...(from === undefined ? [] : [MoreThanOrEqual(new Date(from))]),
    ...(to === undefined ? [] : [LessThan(new Date(to))]),
  ];
  return {
    ...(tenant !== undefined && { tenant }),
    ...(status !== undefined && { status }),
    ...(attention !== undefined && { attention: attention ? Not(IsNull()) : IsNull() }),
    ...(isGivenUp === true && { lookAt: IsNull(), looks: MoreThan(0) }),
    ...(number !== undefined && { orderNumber: Like(`${number}%`) }),
    ...(since.length > 0 && { statusSince: And(...since) }),
  };
}

function listed(order: OrderEntity): OrderEntry {
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
