import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import { type ClaimedLane, Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { Database } from '@gondola/service-kit/database/database';
import { placeFromText, type PlaceNames, valueIdentity, valuePlace } from '@gondola/shared/catalog/value-place';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ValueKind } from '@gondola/shared/topics/values';
import { Inject, Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { placeNamesOf } from '../records/place-names.ts';
import { contentOf, referenceOf } from '../records/read-record.ts';
import { ReferenceWaitsRepository } from '../waiting/reference-waits.repository.ts';
import { mergedState, type ValueLaneState } from './value-lane-state.ts';
import { type StoredValueLane, ValueLanesRepository } from './value-lanes.repository.ts';

/** A lane's state with its name. */
interface NamedValueLane extends StoredValueLane {
  readonly identity: string;
}

type OpenRecords = ReadonlyMap<string, readonly OpenCommand[]>;

/**
 * Values whose lane has another name now than when their records came: an earlier version, another replica of it, or
 * other settings (an alias, the wire profile) named it. Unsent records go to the lane of their value; sent ones end
 * where they are. The lane begins with the highest version of its former ones, and with an unknown value.
 */
@Injectable()
export class RenamedLanes {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly valueLanes: ValueLanesRepository,
    private readonly referenceWaits: ReferenceWaitsRepository,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'wake'>,
  ) {}

  /** Moves the unsent records of claimed lanes that belong to other lanes; returns the remaining ones. */
  async moveRecords(
    tenant: CatalogTenant,
    kind: ValueKind,
    lanes: readonly ClaimedLane[],
    open: OpenRecords,
  ): Promise<Map<string, OpenCommand[]>> {
    const names = placeNamesOf(tenant, kind);
    const misplaced = lanes.flatMap((lane) =>
      (open.get(lane.id) ?? []).flatMap((command) => {
        const identity = command.firstSentAt === null ? identityOf(kind, command, lane, names) : lane.identity;
        return identity === lane.identity ? [] : [{ command, lane, to: { tenant: tenant.id, kind, identity } }];
      }),
    );
    if (misplaced.length > 0) {
      const keys = misplaced.map(({ to }) => to);
      await this.database.transaction(async (tx) => {
        const ids = await this.lanes.wake(tx, keys);
        const moves = misplaced.map(({ command, lane, to }) => ({
          id: command.id,
          from: lane.id,
          to: ids.get(laneText(to))!,
        }));
        await this.commands.move(tx, moves);
        await this.referenceWaits.move(
          tx,
          misplaced.map(({ to }, index) => ({ from: moves[index]!.from, to: moves[index]!.to, identity: to.identity })),
        );
      });
      this.workers.wake(keys);
    }
    const moved = new Set(misplaced.map(({ command }) => command.id));
    return new Map([...open].map(([laneId, commands]) => [laneId, commands.filter(({ id }) => !moved.has(id))]));
  }

  /** States of lanes, merged with those that the same values have under other names. */
  async mergeStates(
    db: Queryable,
    tenant: CatalogTenant,
    kind: ValueKind,
    lanes: readonly ClaimedLane[],
    { states, open }: { readonly states: ReadonlyMap<string, ValueLaneState>; readonly open: OpenRecords },
  ): Promise<Map<string, ValueLaneState>> {
    const names = placeNamesOf(tenant, kind);
    const unmerged = lanes.filter(({ id }) => !states.get(id)!.isMerged);
    const references = unmerged.flatMap((lane) => {
      const place = placeFromText(lane.identity);
      return [place.externalReference, ...(open.get(lane.id) ?? []).map((command) => referenceOf(command, place))];
    });
    const stored = await this.valueLanes.named(db, tenant.id, kind, [...new Set(references)]);
    const keys = await this.lanes.keysOf(
      db,
      stored.map(({ laneId }) => laneId),
    );
    const named = stored.map((each): NamedValueLane => ({ ...each, identity: keys.get(each.laneId)!.identity }));
    const byIdentity = Map.groupBy(named, (each) => formerIdentity(kind, each, names));
    const merged = unmerged.map((lane): [string, ValueLaneState] => {
      const others = (byIdentity.get(lane.identity) ?? []).filter(({ laneId }) => laneId !== lane.id);
      return [
        lane.id,
        mergedState(
          states.get(lane.id)!,
          others.map((each) => formerState(kind, each, names)),
        ),
      ];
    });
    return new Map([...states, ...merged]);
  }
}

function identityOf(kind: ValueKind, { value }: OpenCommand, lane: ClaimedLane, names: PlaceNames): string {
  // A tombstone of a value is invalid wherever it is.
  if (value === null) return lane.identity;
  const place = placeFromText(lane.identity);
  return identityOfContent(kind, contentOf({ value, externalReference: referenceOf({ value }, place) }), names);
}

/** Present identity of the value that a lane sent last; that of a lane without one is told by the lane's name. */
function formerIdentity(kind: ValueKind, { identity, reference, state }: NamedValueLane, names: PlaceNames): string {
  const { warehouse, policy } = placeFromText(identity);
  const content: JsonRecord = {
    externalReference: reference,
    data: state.applied ?? {},
    ...(warehouse !== undefined && { warehouse }),
    ...(policy !== undefined && { policy }),
  };
  return identityOfContent(kind, content, names);
}

/** A lane that held the values of several stores has no version for the one that it sent last. */
function formerState(kind: ValueKind, lane: NamedValueLane, names: PlaceNames): ValueLaneState {
  const named = formerIdentity(kind, { ...lane, state: { ...lane.state, applied: null } }, names);
  return named === formerIdentity(kind, lane, names) ? lane.state : { ...lane.state, sourceVersion: null };
}

function identityOfContent(kind: ValueKind, content: JsonRecord, names: PlaceNames): string {
  const { externalReference } = content;
  const place = valuePlace(content, typeof externalReference === 'string' ? externalReference : '', names);
  return valueIdentity(kind, content, place, names);
}
