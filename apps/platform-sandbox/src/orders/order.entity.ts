import { Column, Entity, ForeignKey, PrimaryColumn, Unique, type ValueTransformer } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { wholeNumber } from '../values/column-values.adapter.ts';
import { NO_TERMS, ORIGINS, type Order } from './order.ts';

/** What orders that were placed by an older version do not have. */
const ADDED_LATER = { finalPriceCents: null, invoice: null, invoiceFile: null, origin: ORIGINS.web, ...NO_TERMS };

/** Times as text, because JSON has no such integers. */
type StoredOrder = Omit<Order, 'createdAt' | 'updatedAt' | 'statusHistory'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly statusHistory: readonly { readonly status: number; readonly at: string }[];
};

const storedOrder: ValueTransformer = {
  to: (order: Order): StoredOrder => ({
    ...order,
    createdAt: String(order.createdAt),
    updatedAt: String(order.updatedAt),
    statusHistory: order.statusHistory.map(({ status, at }) => ({ status, at: String(at) })),
  }),
  from: (text: string): Order => {
    const stored = JSON.parse(text) as StoredOrder;
    return {
      ...ADDED_LATER,
      ...stored,
      createdAt: BigInt(stored.createdAt),
      updatedAt: BigInt(stored.updatedAt),
      statusHistory: stored.statusHistory.map(({ status, at }) => ({ status, at: BigInt(at) })),
    };
  },
};

@Entity('orders')
@Unique('orders_id_key', ['id'])
export class OrderEntity {
  @PrimaryColumn({ type: 'bigint', transformer: wholeNumber })
  number!: number;

  @Column({ type: 'text' })
  id!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'orders_contract_account_id_fkey' })
  contractAccountId!: string;

  @Column({ type: 'json', transformer: storedOrder })
  document!: Order;
}
