import { Clock } from '@gondola/service-kit/run/clock';
import { placeFromText } from '@gondola/shared/catalog/value-record';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { ResultEntity } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { CatalogFamily, LaneHead, Open, PlannedStep } from '../lanes/catalog-family.service.ts';
import { waits } from '../lanes/catalog-family.service.ts';
import type { BatchRoute } from '../platform/platform.adapter.ts';
import { CatalogMetrics } from '../outcomes/catalog.metrics.ts';
import type { ValueKind } from '../records/catalog-kinds.ts';
import { storedText } from '../records/stored-text.ts';
import { blockedToText } from '../waiting/awaiting.ts';
import { LoadValues, type ValueLane } from './load-values.service.ts';
import { SaveValues } from './save-values.service.ts';
import { type ValueProgress, valueProgress } from './value-lane-state.ts';
import { platformIdentity, VALUE_RULES } from './value-rules.ts';

type OpenLane = Open<ValueLane>;
type Planned = PlannedStep<ValueLane, ValueProgress, never>;

/**
 * Absolute values (rule 30): of several waiting values only the newest is sent, and a lane is free for the next one
 * once its call is answered. Their calls precede those of the other families.
 */
@Injectable()
abstract class ValueFamily implements CatalogFamily<ValueLane, ValueProgress, never> {
  abstract readonly kind: ValueKind;
  readonly isUrgent = true;
  readonly reader = null;
  readonly awaited = null;

  constructor(
    private readonly loadValues: LoadValues,
    readonly entities: SaveValues,
    private readonly metrics: CatalogMetrics,
    private readonly clock: Clock,
  ) {}

  async load(tenant: CatalogTenant, heads: readonly LaneHead[]): Promise<ValueLane[]> {
    return this.loadValues.load(tenant, this.kind, heads);
  }

  async plan({ settings }: CatalogTenant, works: readonly OpenLane[]): Promise<Planned[]> {
    return works.map((work) => {
      const planned = this.#next(work);
      const attempts = valueProgress(work.command.progress)?.attempts ?? [];
      const last = attempts.at(-1);
      if (planned.kind !== 'send' || last === undefined || attempts.length === planned.progress.attempts.length) {
        return planned;
      }
      // The planned value was sent: its answer is stored, and the lane is free for the next value.
      if (last.answer.kind !== 'accepted') return waits(work, work.command.progress, 0);
      const { producedAt, receivedAt } = work.command;
      this.metrics.accepted(this.kind, this.clock.now() - Date.parse(producedAt ?? receivedAt));
      return waits(work, work.command.progress, settings.settleMs);
    });
  }

  routeOf(): BatchRoute {
    return VALUE_RULES[this.kind].route;
  }

  itemText({ body }: ValueProgress): string {
    return stringifyWithDigits(body);
  }

  goesAlone({ body }: ValueProgress): boolean {
    return platformIdentity(this.kind, body) === null;
  }

  entityOf(identity: string): ResultEntity {
    return { kind: this.kind, ...placeFromText(identity) };
  }

  seenReportId({ reports }: ValueLane): string {
    return reports.at(-1)?.id ?? '0';
  }

  blockedText(
    { work, progress }: { readonly work: OpenLane; readonly progress: ValueProgress | null },
    cause: string,
  ): string {
    const isSent = (valueProgress(work.command.progress)?.attempts.length ?? 0) > 0;
    return isSent && progress !== null
      ? storedText({ ...progress, blocked: cause })
      : blockedToText(work.waiting, cause);
  }

  #next(work: OpenLane): Planned {
    const next = work.plan.head?.next;
    if (next === undefined) throw new Error('The plan of a lane without an open value has no next step');
    if (next.kind === 'send') return { ...next, work };
    return next.kind === 'announce' ? { kind: 'announces', work, waiting: next.waiting } : waits(work, null, next.ms);
  }
}

@Injectable()
export class PriceFamily extends ValueFamily {
  readonly kind = 'price';
}

@Injectable()
export class WarehouseFamily extends ValueFamily {
  readonly kind = 'warehouse';
}

@Injectable()
export class StockFamily extends ValueFamily {
  readonly kind = 'stock';
}
