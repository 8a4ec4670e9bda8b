import { Commands } from '@gondola/messaging/commands/commands';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import { settlesWithin } from '@gondola/service-kit/run/within';
import { Database } from '@gondola/service-kit/database/database';
import { Inject, Injectable } from '@nestjs/common';
import { headOf } from '../records/resend.ts';
import { waitingFromText } from '../waiting/awaiting.ts';
import type { RecordProgress } from '../records/record-attempts.ts';
import { AttemptRecords } from './attempt-records.service.ts';
import type {
  AnyFamily,
  LaneHead,
  LaneWork,
  Outgoing,
  PlannedStep,
  RecordStep,
  StepRun,
} from './catalog-family.service.ts';
import { CatalogTenants } from './catalog-tenants.service.ts';
import { afterCall, isOpen, jittered, later, waits } from './catalog-family.service.ts';
import { SaveRecords } from './save-records.service.ts';
import { sendGroups } from './batches.ts';
import type { BatchRoute } from '../platform/platform.adapter.ts';
import { WakeWaiting } from '../waiting/wake-waiting.service.ts';

type Planned = PlannedStep<LaneWork, RecordProgress, unknown>;
type Step = RecordStep<LaneWork, RecordProgress, unknown>;
type OutgoingRecord = Outgoing<LaneWork, RecordProgress>;

/** Longest wait of a batch for the reads of its lanes; a lane with a slower read joins a later batch. */
const GATHER_MS = 1_000;
/** Longest delay until such a read is saved, together with others. */
const GATHER_LATE_MS = 200;

/**
 * One step over lanes of one tenant and kind: the family loads and decides; this class calls and saves.
 *
 *   load ──▶ plan each ──▶ save those that ended or wait ──▶ wake who waited for what is known now
 *                      ├─▶ read (each on its own, late ones saved alone) ──▶ what was seen, saved
 *                      └─▶ write attempts down ──▶ one POST or DELETE a route ──▶ the answers, saved
 *
 * No lane waits for another lane's call longer than GATHER_MS: each is returned once it is done (guarantee 5).
 */
@Injectable()
export class PublishRecords {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo'>,
    private readonly tenants: CatalogTenants,
    private readonly attempts: AttemptRecords,
    private readonly records: SaveRecords,
    private readonly wakeWaiting: WakeWaiting,
  ) {}

  async step(family: AnyFamily, lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    const [first] = lanes;
    if (first === undefined) return;
    const tenant = this.tenants.of(first.tenant);
    const run = { family, tenant, signal };
    const loaded = await family.load(tenant, await this.#heads(lanes));
    const idle = loaded.filter((work) => !isOpen(work)).map((work) => ({ kind: 'idle', work, dueInMs: null }) as const);
    const planned = heldBack(run, [...idle, ...(await family.plan(tenant, loaded.filter(isOpen)))]);
    const toBeRead = planned.filter((each) => family.reader?.isToBeRead(each) === true);
    const rest = planned.filter((each) => !toBeRead.includes(each));
    await all([this.#save(run, stepsOf(rest)), this.#call(run, toBeRead, outgoingOf(rest))]);
    const known = loaded.flatMap((work) => family.awaited?.lastMadeKnown(work) ?? []);
    await this.#wake(run, known);
  }

  async #heads(lanes: readonly ClaimedLane[]): Promise<LaneHead[]> {
    const ids = lanes.map(({ id }) => id);
    const consumedUpToMs = this.consumed.upTo();
    const heads = Map.groupBy(await this.commands.heads(this.database, ids), ({ laneId }) => laneId);
    return lanes.map((lane) => {
      const command = headOf(heads.get(lane.id) ?? []);
      return { lane, command, waiting: waitingFromText(command?.progress ?? null), consumedUpToMs };
    });
  }

  async #call(run: StepRun, toBeRead: readonly Planned[], outgoing: readonly OutgoingRecord[]): Promise<void> {
    const { family, tenant, signal } = run;
    const readings = toBeRead.map(async (each) => (await family.reader?.read(tenant, each, signal)) ?? each);
    const { done, late } = await gatherWithin(readings, GATHER_MS);
    const early = done.map((each) => (each.kind === 'read' ? later(each) : each));
    await all([
      this.#save(run, stepsOf(early)),
      ...batches(family, [...outgoing, ...outgoingOf(early)]).map((batch) => this.#send(run, batch)),
      this.#saveLate(run, late),
    ]);
  }

  /** Late reads, for which no batch waits: those that finish at about the same time are saved together. */
  async #saveLate(run: StepRun, readings: readonly Promise<Planned>[]): Promise<void> {
    const saves: Promise<void>[] = [];
    for (let late = readings; late.length > 0;) {
      const gathered = await gatherWithin(late, GATHER_LATE_MS);
      saves.push(this.#save(run, gathered.done.map(later)));
      ({ late } = gathered);
    }
    await all(saves);
  }

  async #send(run: StepRun, batch: readonly OutgoingRecord[]): Promise<void> {
    const { family, tenant } = run;
    const { answered, unsent, unclaimed } = await this.attempts.send(run, batch);
    const next = await family.plan(
      tenant,
      answered.map(({ work }) => work),
    );
    // Records without a granted claim are loaded and planned again.
    const anew = unclaimed.map(({ work }) => waits(work, null, jittered(family.entities.unclaimedMs(tenant))));
    await this.#save(run, [...next.map(afterCall), ...unsent, ...anew]);
  }

  async #save(run: StepRun, steps: readonly Step[]): Promise<void> {
    const { family, tenant } = run;
    await this.records.save(family, tenant, steps);
    await this.#wake(
      run,
      steps.flatMap((each) => family.awaited?.madeKnownBy(each) ?? []),
    );
  }

  async #wake({ family: { awaited }, tenant }: StepRun, known: readonly string[]): Promise<void> {
    if (awaited !== null) await this.wakeWaiting.wake(tenant.id, awaited.kind, known);
  }
}

/**
 * While a circuit breaker is open no attempt is stored for its route: the lanes return when it allows a call (rule 17).
 */
function heldBack({ family, tenant }: StepRun, planned: readonly Planned[]): readonly Planned[] {
  return planned.map((each): Planned => {
    const route = routeOf(family, each);
    const pausedMs = route === null ? 0 : tenant.platform.pausedForMs(route);
    if (pausedMs === 0) return each;
    const ms = jittered(pausedMs);
    if (each.kind === 'send' || each.kind === 'read') return waits(each.work, family.blockedText(each, 'paused'), ms);
    return each.kind === 'idle' ? { ...each, dueInMs: ms } : each;
  });
}

/** Route of the call that the step would make next; null for none. */
function routeOf(family: AnyFamily, planned: Planned): BatchRoute | 'getProduct' | null {
  if (planned.kind === 'send') return family.routeOf(planned.progress);
  return planned.kind === 'read' || family.reader?.isToBeRead(planned) === true ? 'getProduct' : null;
}

function batches(family: AnyFamily, outgoing: readonly OutgoingRecord[]): OutgoingRecord[][] {
  const [alone = [], together = []] = [true, false].map((wanted) =>
    outgoing.filter(({ progress }) => family.goesAlone(progress) === wanted),
  );
  const byRoute = Map.groupBy(together, ({ progress }) => family.routeOf(progress));
  const bytesOf = ({ progress }: OutgoingRecord) => Buffer.byteLength(family.itemText(progress));
  return [...alone.map((each) => [each]), ...[...byRoute.values()].flatMap((each) => sendGroups(each, bytesOf))];
}

function stepsOf(planned: readonly Planned[]): Step[] {
  return planned.filter((each) => each.kind !== 'send' && each.kind !== 'read');
}

function outgoingOf(planned: readonly Planned[]): OutgoingRecord[] {
  return planned.filter((each) => each.kind === 'send');
}

/** Waits for all tasks even if one fails: a lane must not be returned during its call. */
async function all(tasks: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(tasks);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Waits `ms` for tasks that do not fail; returns the values of the finished ones, and the others. */
async function gatherWithin<T>(
  tasks: readonly Promise<T>[],
  ms: number,
): Promise<{ readonly done: readonly T[]; readonly late: readonly Promise<T>[] }> {
  const done = new Map<Promise<T>, T>();
  const watched = tasks.map(async (task) => void done.set(task, await task));
  await settlesWithin(ms, Promise.allSettled(watched));
  return { done: [...done.values()], late: tasks.filter((task) => !done.has(task)) };
}
