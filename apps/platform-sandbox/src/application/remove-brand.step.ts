import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { removalRefused, type NamedItem } from '../domain/catalog/catalog-notifications.ts';
import { refusedOnDemand, type CoreRefusal } from '../domain/core-error.ts';
import { parseExact } from '../domain/exact-json.ts';
import { BrandEntity } from '../outbound/brand.entity.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';

const UNKNOWN_BRAND: CoreRefusal = { statusCode: 404, detail: 'Brand not found.', violations: [] };

/** One reference of a list of brands to remove. */
@Injectable()
export class RemoveBrand implements CoreStep {
  readonly kind = 'brand-removal';

  constructor(
    private readonly database: Database,
    private readonly notifier: Notifier,
    private readonly ids: Ids,
  ) {}

  async apply(tx: Tx, { operationId, contractAccountId, payload, directive }: Operation): Promise<void> {
    const given = parseExact(payload);
    const externalReference = typeof given === 'string' ? given : null;
    const refusal = refusedOnDemand(directive) ?? (await this.remove(tx, contractAccountId, externalReference));
    if (refusal === undefined) return;
    const data: NamedItem = { externalReference, name: null };
    const refused = { operationId, contractAccountId, entity: 'Brand', data } as const;
    const context = { instance: '/v1/gateway/brands', traceId: this.ids.newTraceId() };
    await this.notifier.notify(tx, removalRefused(refused, refusal, context));
  }

  private async remove(
    tx: Tx,
    contractAccountId: string,
    externalReference: string | null,
  ): Promise<CoreRefusal | undefined> {
    if (externalReference === null) return UNKNOWN_BRAND;
    const { affected } = await this.database
      .repository(BrandEntity, tx)
      .delete({ contractAccountId, externalReference });
    return affected === 0 ? UNKNOWN_BRAND : undefined;
  }
}
