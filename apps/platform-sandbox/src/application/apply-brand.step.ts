import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { decideBrand } from '../domain/catalog/brand.ts';
import { itemEntered, itemRejected, type NamedItem } from '../domain/catalog/catalog-notifications.ts';
import { textOrNull } from '../domain/catalog/field-rules.ts';
import { refusedOnDemand } from '../domain/core-error.ts';
import { parseExact } from '../domain/exact-json.ts';
import { rowOf } from '../outbound/column-values.ts';
import { BrandEntity } from '../outbound/brand.entity.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';
import { SwitchBoard } from './switch-board.ts';

/** One brand of a batch: stored in silence, or rejected. */
@Injectable()
export class ApplyBrand implements CoreStep {
  readonly kind = 'brand';

  constructor(
    private readonly database: Database,
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
  ) {}

  async applyGroup(tx: Tx, operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) await this.apply(tx, operation);
  }

  async apply(tx: Tx, { operationId, contractAccountId, payload, directive }: Operation): Promise<void> {
    const item = parseExact(payload);
    const externalReference = textOrNull(item, 'externalReference');
    const brands = this.database.repository(BrandEntity, tx);
    const existing =
      externalReference === null ? null : await brands.findOneBy({ contractAccountId, externalReference });
    const demanded = refusedOnDemand(directive);
    const decision = demanded
      ? ({ kind: 'refused', refusal: demanded } as const)
      : decideBrand(item, existing ?? undefined, () => this.ids.newGuid());
    if (decision.kind === 'stored') {
      const { id, fields } = decision.brand;
      await brands.upsert(rowOf<BrandEntity>({ ...decision.brand, contractAccountId }), ['id']);
      if (this.switches.behaviour.successEvents === 'none') return;
      const entered = { operationId, contractAccountId, entity: 'Brand', data: { ...fields, id } } as const;
      await this.notifier.notify(tx, itemEntered(entered, existing !== null));
      return;
    }
    const data: NamedItem = { externalReference, name: textOrNull(item, 'name') };
    const rejected = { operationId, contractAccountId, entity: 'Brand', data } as const;
    const context = { instance: '/v1/gateway/brands', traceId: this.ids.newTraceId() };
    await this.notifier.notify(tx, itemRejected(rejected, decision.refusal, context));
  }
}
