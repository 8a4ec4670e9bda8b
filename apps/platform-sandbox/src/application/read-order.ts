import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Order } from '../domain/orders/order.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import type { Tenant } from '../outbound/tenants.repository.ts';

/** Orders as their own merchant sees them; another's does not exist. */
@Injectable()
export class ReadOrder {
  constructor(
    private readonly database: Database,
    private readonly orders: OrdersRepository,
  ) {}

  async ofTenant({ contractAccountId }: Tenant, number: number | undefined): Promise<Order | undefined> {
    const order = number === undefined ? undefined : await this.orders.find(this.database, number);
    return order?.contractAccountId === contractAccountId ? order : undefined;
  }

  async byId(id: string): Promise<Order | undefined> {
    return this.orders.findById(this.database, id);
  }

  async byNumber(number: number): Promise<Order | undefined> {
    return this.orders.find(this.database, number);
  }
}
