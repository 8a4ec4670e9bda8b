import type { Commands } from '@gondola/messaging/commands';
import type { Lanes, NextDue } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { Tx } from '@gondola/service-kit/database';
import { correctionResult, endResult, type ResultAbout } from '../domain/catalog-result.ts';
import { afterRecord, type KnownProduct } from '../domain/known-product.ts';
import { planOperationIds } from '../domain/plan-product.ts';
import { progressToText } from '../domain/product-progress.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';
import type { KnownRow, ProductsRepository } from '../outbound/products.repository.ts';
import { resultRecord } from '../outbound/result-record.ts';
import type { CatalogReport, ToldResult } from './catalog-report.ts';
import { type Ended, laneOf, type LoadedLane } from './product-work.ts';
import { PRODUCTS_TOPIC } from './take-product-records.ts';

export interface SaveProductsParts {
  readonly tenant: string;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly report: CatalogReport;
  readonly now: () => number;
}

type Concluded = Extract<Ended, { kind: 'concluded' }>;

/** What one lane's step tells and leaves. */
interface Saved {
  readonly told: readonly ToldResult[];
  readonly known: KnownProduct;
  readonly due: { readonly inMs: number } | null;
  /** Reports up to the newest that was looked at are of no more use. */
  readonly forgets: boolean;
}

/** Saves what a step came to, in the transaction that returns its lanes: outcomes, results, knowledge, progress (mechanisms 2, 3). */
export class SaveProducts {
  readonly #parts: SaveProductsParts;

  constructor(parts: SaveProductsParts) {
    this.#parts = parts;
  }

  async save(ended: readonly Ended[]): Promise<void> {
    if (ended.length === 0) return;
    const { lanes, report } = this.#parts;
    let told: ToldResult[] = [];
    const claimed = ended.map((each) => laneOf(each).lane);
    await lanes.finish(claimed, async (tx, held) => {
      const ids = new Set(held.map(({ id }) => id));
      const own = ended.filter((each) => ids.has(laneOf(each).lane.id));
      told = [];
      return this.#saveHeld(tx, own, told);
    });
    report.saved(told);
  }

  async #saveHeld(tx: Tx, ended: readonly Ended[], told: ToldResult[]): Promise<NextDue> {
    const { outbox, products, reports } = this.#parts;
    const due = new Map<string, { inMs: number } | null>();
    const rows: KnownRow[] = [];
    const forgotten: { laneId: string; upToId: string }[] = [];
    for (const each of ended) {
      const loaded = laneOf(each);
      const { id } = loaded.lane;
      const saved = await this.#saveOne(tx, each);
      told.push(...saved.told);
      due.set(id, saved.due);
      if (saved.known !== loaded.stored) rows.push({ laneId: id, ...this.#about(loaded), known: saved.known });
      if (saved.forgets && loaded.newestReportId !== null) {
        forgotten.push({ laneId: id, upToId: loaded.newestReportId });
      }
    }
    await products.save(tx, rows);
    await reports.forget(tx, forgotten);
    await outbox.append(
      tx,
      told.map(({ result, traceparent }) => resultRecord(result, traceparent)),
    );
    return due;
  }

  async #saveOne(tx: Tx, ended: Ended): Promise<Saved> {
    const { commands } = this.#parts;
    const loaded = laneOf(ended);
    const told = this.#corrections(loaded);
    if (ended.kind === 'concluded') return this.#conclude(tx, ended, told);
    // No record is open: nobody waits for what was reported.
    if (ended.kind === 'idle') return { told, known: loaded.known, due: null, forgets: true };
    const { work, progress, ms, notSent } = ended;
    if (notSent) await commands.markNotSent(tx, [work.command.id]);
    if (progress !== null) await commands.saveProgress(tx, work.command.id, progressToText(progress));
    return { told, known: loaded.known, due: { inMs: ms }, forgets: false };
  }

  async #conclude(tx: Tx, { work, plan }: Concluded, corrections: readonly ToldResult[]): Promise<Saved> {
    const { command, known } = work;
    const { commandId, receivedAt, attempts, traceparent } = command;
    const operationIds = planOperationIds(plan);
    const warnings = plan.progress?.warnings ?? [];
    const record = { commandId, command: command.command, receivedAt, attempts, operationIds, warnings };
    const result = endResult(this.#about(work), record, plan.conclusion);
    const due = { inMs: 0 };
    // An outcome that was given stays: then nothing is told either (guarantee 3).
    if (!(await this.#parts.commands.finish(tx, command.id, plan.conclusion.outcome, result.id))) {
      return { told: corrections, known, due, forgets: false };
    }
    const isCorrectable = result.outcome === 'unconfirmed' && operationIds.length > 0 && plan.progress !== null;
    const unconfirmed = isCorrectable
      ? { ...record, resultId: result.id, body: plan.progress.body, traceparent, overtaken: false }
      : null;
    const { effect, sourceVersion } = plan;
    return {
      told: [...corrections, { result, traceparent, anomaly: plan.anomaly }],
      known: afterRecord(known, { effect, sourceVersion, operationIds, unconfirmed }),
      due,
      forgets: true,
    };
  }

  #corrections(loaded: LoadedLane): ToldResult[] {
    return loaded.corrections.map((correction) => ({
      result: correctionResult(this.#about(loaded), correction),
      traceparent: correction.record.traceparent,
      anomaly: false,
    }));
  }

  #about({ lane }: LoadedLane): ResultAbout {
    const time = new Date(this.#parts.now()).toISOString();
    return {
      tenant: this.#parts.tenant,
      topic: PRODUCTS_TOPIC,
      kind: 'product',
      externalReference: lane.identity,
      time,
    };
  }
}
