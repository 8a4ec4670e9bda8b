import { SEEN_OF_ORDER } from '@gondola/shared/shadow/shadow-verdict';
import { type SeenChange, StoredShadowCalls } from '@gondola/lanes/shadow/stored-shadow-calls';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Tx } from '@gondola/service-kit/database/database';
import { DAY_MS } from '@gondola/shared/durations';
import { PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import { Inject, Injectable } from '@nestjs/common';
import type { NewFact } from '../facts/order-fact.ts';
import { SET_BY_CONNECTORS } from './judge-order.ts';

/**
 * Stores for the comparison of tenants in shadow what notifications show: statuses that somebody set, which the ERP
 * must have asked for; and approved orders, for which the ERP must ask something in `watch.notPreparedMs`.
 */
@Injectable()
export class SeenOrders {
  readonly #limits: ReadonlyMap<string, number>;

  constructor(
    private readonly calls: StoredShadowCalls,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'mode' | 'watch'>>,
  ) {
    const inShadow = tenants.filter(({ mode }) => mode === 'shadow');
    this.#limits = new Map(inShadow.map(({ id, watch }) => [id, watch.notPreparedMs ?? DAY_MS]));
  }

  async store(tx: Tx, facts: readonly NewFact[]): Promise<void> {
    const own = facts.filter(({ tenant, failure }) => this.calls.leavesOut(tenant, null) && !failure);
    if (own.length === 0) return;
    const moved = own.filter(({ status }) => SET_BY_CONNECTORS.has(status ?? 0));
    const approved = own.filter(({ status }) => status === PAYMENT_APPROVED);
    await this.calls.saw(
      tx,
      moved.map((fact) => ({ ...entityOf(fact), route: SEEN_OF_ORDER.status, body: String(fact.status) })),
    );
    await this.calls.awaits(
      tx,
      approved.map((fact) => ({
        ...entityOf(fact),
        route: SEEN_OF_ORDER.created,
        body: null,
        lookInMs: this.#limits.get(fact.tenant)!,
      })),
    );
  }
}

function entityOf({ tenant, orderNumber: entity }: NewFact): Pick<SeenChange, 'tenant' | 'entity' | 'commandId'> {
  return { tenant, entity, commandId: '' };
}
