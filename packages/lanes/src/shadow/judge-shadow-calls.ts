import { Inject, Injectable } from '@nestjs/common';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';

import { type Finding, type ShadowRow, verdictOf } from '@gondola/shared/shadow/shadow-verdict';
import { StoredShadowCalls } from './stored-shadow-calls.ts';

/** Looks at the shop for an entity of a tenant in shadow: the app knows what can be read. */
export abstract class ShadowJudge {
  /**
   * Findings by the ids of rows, and of those of the shop that they explain; a row without one, because the shop did
   * not answer, is looked at again.
   */
  abstract look(tenant: string, entity: string, rows: readonly ShadowRow[]): Promise<ReadonlyMap<string, Finding>>;
}

const EVERY_MS = 5_000;
const AT_ONCE = 200;

/**
 * Lays what tenants in shadow left out beside what the shop got, once the other connector has had its time:
 *
 *   due ──▶ the app looks ─┬─▶ verdict, final
 *     ▲                    ├─▶ missing, or another value ──▶ again, for a day
 *     └────────────────────┴─▶ no answer ──▶ again
 */
@Injectable()
export class JudgeShadowCalls extends RepeatingTask {
  readonly #calls: StoredShadowCalls;
  #judge: ShadowJudge | null = null;
  readonly #clock: Clock;

  constructor(calls: StoredShadowCalls, clock: Clock, @Inject(LOGGER) logger: Logger) {
    super({ name: 'shadow comparison', everyMs: EVERY_MS, run: () => this.run(), logger });
    this.#calls = calls;
    this.#clock = clock;
  }

  /** For the app, when its modules are initialised. */
  lookBy(judge: ShadowJudge): void {
    this.#judge = judge;
  }

  async run(): Promise<void> {
    const judge = this.#judge;
    if (this.#calls.settleMs.size === 0 || judge === null) return;
    const due = await this.#calls.due(AT_ONCE);
    const byEntity = Map.groupBy(due, ({ tenant, entity }) => JSON.stringify([tenant, entity]));
    for (const rows of byEntity.values()) await this.#judgeRows(judge, rows);
  }

  async #judgeRows(judge: ShadowJudge, rows: readonly ShadowRow[]): Promise<void> {
    const { tenant, entity } = rows[0]!;
    const settleMs = this.#calls.settleMs.get(tenant)!;
    const findings = await judge.look(tenant, entity, rows);
    const unanswered: string[] = [];
    // Also of rows of the shop that are not due yet.
    const explained = [...findings].flatMap(([id, { kind }]) => (kind === 'explained' ? [id] : []));
    for (const row of rows) {
      const finding = findings.get(row.id);
      if (finding === undefined) unanswered.push(row.id);
      else if (finding.kind !== 'explained')
        await this.#calls.judged(row, verdictOf(row, finding, this.#clock.now(), settleMs));
    }
    if (unanswered.length > 0) await this.#calls.postpone(unanswered, settleMs);
    if (explained.length > 0) await this.#calls.explained(explained);
  }
}
