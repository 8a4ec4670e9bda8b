import { type SavedStep, StepSaver } from '@gondola/lanes/commands/step-saver';
import type { OpenCommand } from '@gondola/lanes/commands/commands';
import { blanksWarning } from '@gondola/shared/fields/blanks-warning';
import { parseRecord } from '@gondola/shared/json/json-digits';
import type { AwaitedReference, Result } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import { CatalogMetrics } from './catalog.metrics.ts';
import { RejectionsRepository } from './rejections.repository.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS } from '../records/catalog-kinds.ts';
import { isResend } from '../records/resend.ts';
import { referenceText } from '../waiting/awaiting.ts';
import { ReferenceWaitsRepository } from '../waiting/reference-waits.repository.ts';
import type { CatalogFlow, CatalogLane, Save } from './catalog-flow.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';

/**
 * Saves steps: the outcomes of their records, the state of their entities, their rejections, and the references they
 * wait for.
 */
@Injectable()
export class SaveRecords {
  constructor(
    private readonly saver: StepSaver,
    private readonly referenceWaits: ReferenceWaitsRepository,
    private readonly rejections: RejectionsRepository,
    private readonly metrics: CatalogMetrics,
  ) {}

  async save<S extends CatalogLane>(
    flow: CatalogFlow<S>,
    tenant: CatalogTenant,
    steps: readonly Save<S>[],
  ): Promise<void> {
    const results = {
      topics: { commands: CATALOG_TOPICS[flow.kind], results: CATALOG_RESULTS },
      aboutOf: ({ identity }: { readonly identity: string }, command: OpenCommand | null) => ({
        entity: flow.entityOf(identity, command ?? undefined),
      }),
      isUnpublished: isResend,
      warningsOf: ({ value }: OpenCommand) => blanksWarning(parseRecord(value), tenant.language),
    };
    const saved = await this.saver.save(results, steps, async (tx, mine) => {
      const records = await flow.save(tx, tenant, mine);
      await this.rejections.note(tx, flow.kind, mine);
      const announced = mine.flatMap(({ step: { lane, state, announced: waiting } }) =>
        waiting === undefined ? [] : [{ lane, awaited: together(waiting.for, state.alsoAwaited) }],
      );
      const ended = mine.flatMap((each) =>
        resultOf(each) === undefined
          ? []
          : [{ lane: each.step.lane, awaited: together([], each.step.state.alsoAwaited) }],
      );
      await this.referenceWaits.replace(tx, [...announced, ...ended]);
      return records;
    });
    for (const each of saved) {
      const result = resultOf(each);
      if (each.step.isAnomaly === true && result !== undefined) this.metrics.anomaly(each.step.lane, result);
    }
  }
}

/** References of the step's record and of the lane's other ones, each once. */
function together(own: readonly AwaitedReference[], also: readonly AwaitedReference[] = []): AwaitedReference[] {
  return [...new Map([...own, ...also].map((each) => [referenceText(each), each])).values()];
}

/** Result of the lane's own record; undefined while it stays open. */
function resultOf({ step, concluded }: SavedStep<Save<CatalogLane>>): Result | undefined {
  return concluded.get(step.state.command?.id ?? '');
}
