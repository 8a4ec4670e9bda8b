import { cameAtOf } from '@gondola/lanes/commands/came-at';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import { settlesWithin } from '@gondola/service-kit/run/within';
import { Slots } from '@gondola/shared/slots';
import { Injectable } from '@nestjs/common';
import { WakeWaiting } from '../waiting/wake-waiting.service.ts';
import { batchesOf } from './batches.ts';
import {
  type CatalogFlow,
  type CatalogLane,
  jittered,
  later,
  type Planned,
  type Save,
  type Sending,
  type StepRun,
  waits,
} from './catalog-flow.ts';
import { CatalogTenants } from './catalog-tenants.service.ts';
import { SaveRecords } from './save-records.service.ts';
import { SendRecords } from './send-records.service.ts';

/** Longest wait of a batch for the reads of its lanes; a lane with a slower read joins a later batch. */
const GATHER_MS = 1_000;
/** Longest delay until such a read is saved, together with others. */
const GATHER_LATE_MS = 200;

/**
 * One step over lanes of one tenant and kind: the flow loads and decides; this class calls and saves.
 *
 *   plan each ──▶ save those that ended or wait ──▶ wake who waited for what is known now
 *             ├─▶ read (each on its own, late ones saved alone) ──▶ what was seen, saved
 *             └─▶ store attempts ──▶ one POST or DELETE a route ──▶ the answers, saved
 *
 * No lane waits for another lane's read longer than GATHER_MS, and each is returned once it is done (guarantee 5). A
 * step begins only as many batches as may be called at once, so that each attempt is stored right before its call, and
 * a step of many batches takes few connections.
 */
@Injectable()
export class PublishRecords {
  constructor(
    private readonly tenants: CatalogTenants,
    private readonly sends: SendRecords,
    private readonly records: SaveRecords,
    private readonly wakeWaiting: WakeWaiting,
    private readonly modes: ShadowModes,
  ) {}

  async step<S extends CatalogLane>(
    flow: CatalogFlow<S>,
    lanes: readonly ClaimedLane[],
    signal: AbortSignal,
  ): Promise<void> {
    const [first] = lanes;
    if (first === undefined) return;
    const tenant = this.tenants.of(first.tenant);
    const run = { flow, tenant, signal };
    const planned = (await flow.plan(tenant, lanes)).map((each) => heldBack(run, each));
    await all([this.#save(run, savesOf(planned)), this.#call(run, planned)]);
    await this.#wake(
      run,
      planned.flatMap(({ state }) => flow.awaited?.lastMadeKnown(state) ?? []),
    );
  }

  async #call<S extends CatalogLane>(run: StepRun<S>, planned: readonly Planned<S>[]): Promise<void> {
    const { flow, tenant, signal } = run;
    const readings = planned.flatMap((each) => (each.kind === 'read' ? [each] : []));
    const { done, failed, late } = await gatherWithin(
      readings.map(async (each) => (await flow.read?.(tenant, each, signal)) ?? each),
      GATHER_MS,
    );
    const slots = new Slots(tenant.maxCalls);
    const early = done.map((each) => (each.kind === 'read' ? later(each) : each));
    await all([
      this.#save(run, savesOf(early)),
      ...this.#batches(run, sendingOf([...planned, ...early])).map((batch) => slots.run(() => this.#send(run, batch))),
      this.#saveLate(run, late),
      ...failed,
    ]);
  }

  /** Records that are left out in shadow share no call with others. */
  #batches<S extends CatalogLane>({ flow, tenant }: StepRun<S>, sending: readonly Sending<S>[]): Sending<S>[][] {
    const byMode = Map.groupBy(sending, ({ command }) => this.modes.of(tenant.id, cameAtOf(command)));
    return [...byMode.values()].flatMap((each) => batchesOf(flow, each));
  }

  /** Late reads, for which no batch waits: those that finish at about the same time are saved together. */
  async #saveLate<S extends CatalogLane>(run: StepRun<S>, readings: readonly Promise<Planned<S>>[]): Promise<void> {
    const saves: Promise<readonly PromiseSettledResult<unknown>[]>[] = [];
    for (let late = readings; late.length > 0;) {
      const gathered = await gatherWithin(late, GATHER_LATE_MS);
      // Settled from now on: a save may fail while the next reads are awaited.
      saves.push(Promise.allSettled([this.#save(run, gathered.done.map(later)), ...gathered.failed]));
      ({ late } = gathered);
    }
    throwFirst((await Promise.all(saves)).flat());
  }

  async #send<S extends CatalogLane>(run: StepRun<S>, batch: readonly Sending<S>[]): Promise<void> {
    await this.#save(run, await this.sends.send(run, batch));
  }

  async #save<S extends CatalogLane>(run: StepRun<S>, steps: readonly Save<S>[]): Promise<void> {
    const { flow, tenant } = run;
    await this.records.save(flow, tenant, steps);
    await this.#wake(
      run,
      steps.flatMap(({ state }) => flow.awaited?.madeKnownBy(state) ?? []),
    );
  }

  async #wake<S extends CatalogLane>(
    { flow: { awaited }, tenant }: StepRun<S>,
    known: readonly string[],
  ): Promise<void> {
    if (awaited !== null) await this.wakeWaiting.wake(tenant.id, awaited.kind, known);
  }
}

/**
 * While a circuit breaker is open no attempt is stored for its route: the lane returns when it allows a call (rule 17).
 */
function heldBack<S extends CatalogLane>({ flow, tenant }: StepRun<S>, planned: Planned<S>): Planned<S> {
  if (planned.kind === 'save') return planned;
  const pausedMs = tenant.platform.pausedForMs(routeOf(flow, planned));
  if (pausedMs === 0) return planned;
  const ms = jittered(pausedMs);
  if (planned.kind === 'read' && planned.before?.kind === 'save') return { ...planned.before, dueInMs: ms };
  return waits(planned.state, flow.blockedText(planned.state, 'paused'), ms);
}

/** Route of the call that the step is for. */
function routeOf<S extends CatalogLane>(flow: CatalogFlow<S>, planned: Exclude<Planned<S>, Save<S>>) {
  const sent = planned.kind === 'send' ? planned : planned.before;
  return sent?.kind === 'send' ? flow.routeOf(sent.state) : 'getProduct';
}

function savesOf<S extends CatalogLane>(planned: readonly Planned<S>[]): Save<S>[] {
  return planned.flatMap((each) => (each.kind === 'save' ? [each] : []));
}

function sendingOf<S extends CatalogLane>(planned: readonly Planned<S>[]): Sending<S>[] {
  return planned.flatMap((each) => (each.kind === 'send' ? [each.state] : []));
}

/** Waits for all tasks even if one fails: a lane must not be returned during its call. */
async function all(tasks: readonly Promise<unknown>[]): Promise<void> {
  throwFirst(await Promise.allSettled(tasks));
}

function throwFirst(ends: readonly PromiseSettledResult<unknown>[]): void {
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Tasks after a wait: the values of the finished ones, those that failed, and those that still run. */
interface Gathered<T> {
  readonly done: readonly T[];
  readonly failed: readonly Promise<T>[];
  readonly late: readonly Promise<T>[];
}

/** Waits `ms` for tasks. None of them is unhandled from then on, whenever it fails. */
async function gatherWithin<T>(tasks: readonly Promise<T>[], ms: number): Promise<Gathered<T>> {
  const ended = new Map<Promise<T>, PromiseSettledResult<T>>();
  const watched = tasks.map(async (task) => {
    const [end] = await Promise.allSettled([task]);
    ended.set(task, end);
  });
  await settlesWithin(ms, Promise.all(watched));
  const done = [...ended.values()].flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const failed = tasks.filter((task) => ended.get(task)?.status === 'rejected');
  return { done, failed, late: tasks.filter((task) => !ended.has(task)) };
}
