import { Column, Entity, ForeignKey, PrimaryColumn, Unique, type ValueTransformer } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { wholeNumber } from '../values/column-values.adapter.ts';
import { NO_TERMS, ORIGINS, type Order } from './order.ts';

/** Fields that are missing in orders of an older version. */
const ADDED_LATER = { finalPriceCents: null, invoice: null, invoiceFile: null, origin: ORIGINS.web, ...NO_TERMS };

/** Keys of times, which are stored as text because JSON has no such integers. */
const TIMES: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'at']);

const storedOrder: ValueTransformer = {
  to: (order: Order): unknown =>
    JSON.parse(JSON.stringify(order, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))),
  from: (text: string): Order => {
    const stored = JSON.parse(text, (key, value) => (TIMES.has(key) ? BigInt(value as string) : value)) as Order;
    return { ...ADDED_LATER, ...stored };
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
