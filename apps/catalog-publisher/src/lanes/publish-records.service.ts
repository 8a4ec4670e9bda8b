import { Commands } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import { settlesWithin } from '@gondola/messaging/within';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { headOf } from '../resends/resend.ts';
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
import { afterCall, isOpen, jittered, later, waits } from './record-step.service.ts';
import { SaveRecords } from './save-records.service.ts';
import { sendGroups } from './batches.ts';
import { WakeWaiting } from '../waiting/wake-waiting.service.ts';

type Planned = PlannedStep<LaneWork, RecordProgress, unknown>;
type Ended = RecordStep<LaneWork, RecordProgress, unknown>;
type OutgoingRecord = Outgoing<LaneWork, RecordProgress>;

/** A batch waits so long for the readings of its lanes; a slower one goes into a later batch. */
const GATHER_MS = 1_000;

/**
 * One step over some lanes of a tenant, all of one kind: the family loads and decides; here it is called and saved.
 *
 *   load ──▶ plan each ──▶ save those that ended or wait ──▶ wake who waited for what is known now
 *                      ├─▶ read (each on its own, late ones saved alone) ──▶ what was seen, saved
 *                      └─▶ write attempts down ──▶ one POST or DELETE a route ──▶ the answers, saved
 *
 * Nobody waits for another's call longer than GATHER_MS: lanes are returned as soon as they are through (guarantee 5).
 */
@Injectable()
export class PublishRecords {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
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
    await all([this.#save(run, endedOf(rest)), this.#call(run, toBeRead, outgoingOf(rest))]);
    const known = loaded.flatMap((work) => family.awaited?.lastMadeKnown(work) ?? []);
    await this.#wake(run, known);
  }

  async #heads(lanes: readonly ClaimedLane[]): Promise<LaneHead[]> {
    const ids = lanes.map(({ id }) => id);
    const heads = Map.groupBy(await this.commands.heads(this.database, ids), ({ laneId }) => laneId);
    return lanes.map((lane) => {
      const command = headOf(heads.get(lane.id) ?? []);
      return { lane, command, waiting: waitingFromText(command?.progress ?? null) };
    });
  }

  async #call(run: StepRun, toBeRead: readonly Planned[], outgoing: readonly OutgoingRecord[]): Promise<void> {
    const { family, tenant, signal } = run;
    const readings = toBeRead.map(async (each) => (await family.reader?.read(tenant, each, signal)) ?? each);
    const { done, late } = await gatherWithin(readings, GATHER_MS);
    const early = done.map((each) => (each.kind === 'read' ? later(each) : each));
    await all([
      this.#save(run, endedOf(early)),
      ...batches(family, [...outgoing, ...outgoingOf(early)]).map((batch) => this.#send(run, batch)),
      ...late.map(async (reading) => this.#save(run, [later(await reading)])),
    ]);
  }

  async #send(run: StepRun, batch: readonly OutgoingRecord[]): Promise<void> {
    const { family, tenant } = run;
    const { answered, unsent, unclaimed } = await this.attempts.send(run, batch);
    const next = await family.plan(
      tenant,
      answered.map(({ work }) => work),
    );
    // What others have is looked at anew.
    const anew = unclaimed.map(({ work }) => waits(work, null, jittered(family.entities.unclaimedMs(tenant))));
    await this.#save(run, [...next.map(afterCall), ...unsent, ...anew]);
  }

  async #save(run: StepRun, ended: readonly Ended[]): Promise<void> {
    const { family, tenant } = run;
    await this.records.save(family, tenant, ended);
    await this.#wake(
      run,
      ended.flatMap((each) => family.awaited?.madeKnownBy(each) ?? []),
    );
  }

  async #wake({ family: { awaited }, tenant }: StepRun, known: readonly string[]): Promise<void> {
    if (awaited !== null) await this.wakeWaiting.wake(tenant.id, awaited.kind, known);
  }
}

/** While the tenant is paused nothing is written down as sent: its lanes come back when the pause is over (rule 17). */
function heldBack({ family, tenant }: StepRun, planned: readonly Planned[]): readonly Planned[] {
  const pausedMs = tenant.platform.pausedForMs();
  if (pausedMs === 0) return planned;
  return planned.map((each): Planned => {
    const ms = jittered(pausedMs);
    if (each.kind === 'send' || each.kind === 'read') return waits(each.work, family.blockedText(each, 'paused'), ms);
    return each.kind === 'idle' && family.reader?.isToBeRead(each) === true ? { ...each, dueInMs: ms } : each;
  });
}

function batches(family: AnyFamily, outgoing: readonly OutgoingRecord[]): OutgoingRecord[][] {
  const [alone = [], together = []] = [true, false].map((wanted) =>
    outgoing.filter(({ progress }) => family.goesAlone(progress) === wanted),
  );
  const byRoute = Map.groupBy(together, ({ progress }) => family.routeOf(progress));
  return [...alone.map((each) => [each]), ...[...byRoute.values()].flatMap((each) => sendGroups(each))];
}

function endedOf(planned: readonly Planned[]): Ended[] {
  return planned.filter((each) => each.kind !== 'send' && each.kind !== 'read');
}

function outgoingOf(planned: readonly Planned[]): OutgoingRecord[] {
  return planned.filter((each) => each.kind === 'send');
}

/** All are waited for, whatever fails: a lane must not be given away while its call is under way. */
async function all(tasks: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(tasks);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Waits `ms` for tasks that do not fail: the values of those that are done by then, and the others. */
async function gatherWithin<T>(
  tasks: readonly Promise<T>[],
  ms: number,
): Promise<{ readonly done: readonly T[]; readonly late: readonly Promise<T>[] }> {
  const done = new Map<Promise<T>, T>();
  const watched = tasks.map(async (task) => void done.set(task, await task));
  await settlesWithin(ms, Promise.allSettled(watched));
  return { done: [...done.values()], late: tasks.filter((task) => !done.has(task)) };
}
