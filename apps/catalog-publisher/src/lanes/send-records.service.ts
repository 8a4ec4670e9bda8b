import {
  afterAttempt,
  afterCall,
  type Attempted,
  Attempts,
  type CallAnswer,
  type MadeAttempt,
} from '@gondola/lanes/commands/attempts';
import { cameAtOf } from '@gondola/lanes/commands/came-at';
import { Clock } from '@gondola/service-kit/run/clock';
import type { Tx } from '@gondola/service-kit/database/database';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { Injectable } from '@nestjs/common';
import { PlatformOperationsRepository } from '../notifications/platform-operations.repository.ts';
import type { RecordAttempt, RecordProgress } from '../records/record-attempts.ts';
import { postBatch } from './batches.ts';
import { type CatalogLane, jittered, type Save, type Sending, type StepRun, ends, waits } from './catalog-flow.ts';

interface AttemptedRecord<S extends CatalogLane> extends Attempted {
  readonly state: Sending<S>;
  readonly progress: NonNullable<S['progress']>;
}

/**
 * One batch: stores the attempts, makes one call (more only for a batch that is refused whole), and returns the steps
 * with the answers.
 */
@Injectable()
export class SendRecords {
  constructor(
    private readonly attempts: Attempts,
    private readonly operations: PlatformOperationsRepository,
    private readonly clock: Clock,
  ) {}

  /** @param batch records of one route */
  async send<S extends CatalogLane>(run: StepRun<S>, batch: readonly Sending<S>[]): Promise<Save<S>[]> {
    const { flow, tenant, signal } = run;
    signal.throwIfAborted();
    const guard = async (tx: Tx, attempted: readonly AttemptedRecord<S>[]): Promise<AttemptedRecord<S>[]> => {
      const states = attempted.map(({ state }) => state);
      const own = new Set(await flow.hold?.(tx, tenant, states));
      return attempted.filter(({ state }) => own.has(state));
    };
    const { made, heldBack } = await this.attempts.make(this.#attempted(run, batch), {
      deadlineMs: tenant.settings.deadlineMs,
      ...(flow.hold !== null && { guard }),
      call: (stored) => this.#post(run, stored),
    });
    await this.#rememberOperations(tenant.id, made);
    // A record that is not held is loaded and planned again.
    const anew = heldBack.map(({ state }) => waits<S>(state, null, jittered(flow.unheldMs(tenant))));
    return [...made.map((each) => answered(run, each)), ...anew];
  }

  #attempted<S extends CatalogLane>({ flow }: StepRun<S>, batch: readonly Sending<S>[]): AttemptedRecord<S>[] {
    const at = this.#time();
    const shared = batch.length > 1;
    return batch.map((state) => {
      const { lane, command } = state;
      const attempt: Omit<RecordAttempt, 'answer'> = { at, seenReportId: flow.seenReportId(state), shared };
      return { lane, command, state, progress: withAttempt<RecordProgress>(state.progress, attempt) };
    });
  }

  /** An accepted record settles from the time of its answer; a lost call may land for a time after its end. */
  async #post<S extends CatalogLane>(
    { flow, tenant, signal }: StepRun<S>,
    stored: readonly AttemptedRecord<S>[],
  ): Promise<ReadonlyMap<string, CallAnswer>> {
    const [first] = stored;
    if (first === undefined) return new Map();
    const route = flow.routeOf(first.state);
    const { traceparent } = first.command;
    const links = stored.slice(1).map(({ command }) => command.traceparent);
    const askedBy = new Map(
      stored.map(({ lane, command }) => {
        return [lane.id, { entity: lane.identity, commandId: command.commandId, cameAt: cameAtOf(command) }];
      }),
    );
    return postBatch(
      stored.map(({ lane, progress }) => ({ laneId: lane.id, text: flow.itemText(progress) })),
      async (body, about, part): Promise<CallAnswer> => {
        const options = {
          ...(about !== undefined && { about }),
          askedBy: part.map(({ laneId }) => askedBy.get(laneId)!),
          signal,
          traceparent,
          links,
          urgent: flow.isUrgent,
        };
        const answer = await tenant.platform.sendRecords(route, body, options);
        return answer.kind === 'accepted' || answer.kind === 'unknown' ? { ...answer, at: this.#time() } : answer;
      },
    );
  }

  /** Stores the lanes of an operation, so that a report without an entity wakes them. */
  async #rememberOperations(tenant: string, made: readonly MadeAttempt<Attempted>[]): Promise<void> {
    const sent = made.flatMap(({ kind, attempted, progress }) => {
      const answer = kind === 'answered' ? progress.attempts.at(-1)?.answer : undefined;
      const operationId = answer?.kind === 'accepted' ? answer.operationId : null;
      return operationId === null ? [] : [{ operationId, laneId: attempted.lane.id }];
    });
    await this.operations.remember(tenant, sent);
  }

  #time(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

/** Step after a call. Everything else follows in another step: a step saves or calls, never both. */
function answered<S extends CatalogLane>({ flow, tenant }: StepRun<S>, made: MadeAttempt<AttemptedRecord<S>>): Save<S> {
  const { state } = made.attempted;
  const outcome = afterCall(made);
  if (made.kind === 'taken-back') return ends<S>(state, outcome, made.pauseMs);
  const { progress } = made;
  const command = afterAttempt(state.command, JSON.stringify(progress), tenant.settings.deadlineMs);
  return ends<S>(state, outcome, flow.lookInMs(tenant, { ...state, command, progress }));
}
