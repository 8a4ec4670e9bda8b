import type { ReadAnswer } from '@gondola/platform-client/answers';
import { Commands } from '@gondola/lanes/commands/commands';
import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { orderLane } from '../facts/order-lane.ts';
import { type OrderValues, readOrderValues } from '../facts/order-values.ts';
import { type LoadedLane, LoadOrderLanes } from '../lanes/load-order-lanes.service.ts';
import { changedParts, partsOf } from '../orders/published-state.ts';
import type { CallOptions } from '../platform/order-calls.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { withSkus } from '../skus/match-skus.ts';
import { type AskedFigures, askedFigures, AUDITED_COMMANDS } from './asked-figures.ts';
import { AuditsRepository } from './audits.repository.ts';
import type { Figures, ShopFigures } from './compare-order.ts';

/** An order as Gondola knows it. */
export interface KnownOrder {
  readonly createdAt: string | null;
  readonly published: Figures | null;
  readonly unpublished: readonly string[];
  readonly isErased: boolean;
  readonly asked: AskedFigures;
  readonly skus: LoadedLane['skus'];
}

export const UNKNOWN_ORDER: KnownOrder = {
  createdAt: null,
  published: null,
  unpublished: [],
  isErased: false,
  asked: askedFigures([], []),
  skus: [],
};

/** Waits until the next call may be made; false: no more calls. */
export type Turn = () => Promise<boolean>;

/** `ended`: no more calls. `createdAt` is that of the shop. */
export type ShopRead =
  | { readonly kind: 'found'; readonly createdAt: string | null; readonly shop: ShopFigures }
  | Exclude<ReadAnswer<never>, { readonly kind: 'found' }>
  | { readonly kind: 'ended' };

/** Parts of an order that an audit compares. */
const AUDITED_PARTS: readonly string[] = ['totals', 'items'] satisfies readonly (keyof OrderValues)[];

/** Reads both sides of audited orders. Nothing is stored, and nothing is sent that changes an order. */
@Injectable()
export class ReadAuditedOrder {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly orders: LoadOrderLanes,
    private readonly commands: Commands,
    private readonly audits: AuditsRepository,
    private readonly platform: PlatformAdapter,
  ) {}

  /** The orders that Gondola knows, by number; null for one that cannot be loaded, whose own lane is stuck. */
  async known(tenant: string, orderNumbers: readonly string[]): Promise<ReadonlyMap<string, KnownOrder | null>> {
    try {
      return await this.#load(tenant, orderNumbers);
    } catch (error) {
      if (classifyDatabaseError(error) === 'transient') throw error;
      const [only = '', ...others] = orderNumbers;
      if (others.length === 0) return new Map([[only, null]]);
      const all = await Promise.all(orderNumbers.map((each) => this.known(tenant, [each])));
      return new Map(all.flatMap((each) => [...each]));
    }
  }

  async #load(tenant: string, orderNumbers: readonly string[]): Promise<ReadonlyMap<string, KnownOrder>> {
    const keys = orderNumbers.map((each) => orderLane(tenant, each));
    const ids = await this.lanes.idsOf(this.database, keys);
    const known = keys.flatMap((key) => ids.get(laneText(key)) ?? []);
    const [loaded, commands, heardSince] = await Promise.all([
      this.orders.load(keys.flatMap((key) => laneOf(key, ids.get(laneText(key))))),
      this.commands.said(this.database, known, AUDITED_COMMANDS),
      this.audits.heardSince(known),
    ]);
    const commandsOf = Map.groupBy(commands, ({ laneId }) => laneId);
    return new Map(
      loaded.map((each) => {
        const { lane, values, row, finalPrice: price, skus } = each;
        const { status, parts } = row.published;
        const published = status === null || values === null ? null : { ...values, status, price };
        const isLate = published !== null && values !== null && heardSince.has(lane.id);
        const late = isLate ? changedParts({ ...row.published, parts: parts ?? {} }, partsOf(values)) : [];
        const known: KnownOrder = {
          createdAt: values?.createdAt ?? null,
          published,
          unpublished: late.filter((part) => AUDITED_PARTS.includes(part)),
          isErased: status !== null && parts === null,
          asked: askedFigures(commandsOf.get(lane.id) ?? [], row.openSteps.invoices ?? []),
          skus,
        };
        return [lane.identity, known];
      }),
    );
  }

  /** Reads an order at the shop; its PDF only where the payload shows none and the ERP gave one. */
  async shop(
    tenant: string,
    orderNumber: string,
    { asked, skus }: KnownOrder,
    options: CallOptions & { readonly turn: Turn },
  ): Promise<ShopRead> {
    const order = { tenant, orderNumber };
    if (!(await options.turn())) return { kind: 'ended' };
    const answer = await this.platform.readPayload(order, options);
    if (answer.kind !== 'found') return answer;
    const { bytes, price, invoices, attached, orderId, ...payload } = answer.value;
    const values = withSkus(readOrderValues(parseRecord(bytes) ?? {}, Number(orderNumber)), skus);
    let { status } = payload;
    if (status === null) {
      if (!(await options.turn())) return { kind: 'ended' };
      const read = await this.platform.readStatus(order, options);
      if (read.kind === 'unavailable') return read;
      status = read.kind === 'found' ? read.value : null;
    }
    let hasPdf: boolean | null = attached || null;
    if (!attached && asked.pdf !== null && orderId !== null) {
      if (!(await options.turn())) return { kind: 'ended' };
      const read = await this.platform.readInvoiceFile(tenant, orderId, options);
      if (read.kind === 'unavailable') return read;
      hasPdf = read.kind === 'refused' ? null : read.kind === 'found';
    }
    return { kind: 'found', createdAt: values.createdAt, shop: { ...values, status, price, invoices, hasPdf } };
  }

  /** Milliseconds until the circuit breakers allow a read. */
  pausedForMs(tenant: string): number {
    return this.platform.pausedForMs(tenant, 'read-payload');
  }
}

/** A lane to load, which nobody claims: only its order's own lane changes the order. */
function laneOf(key: ReturnType<typeof orderLane>, id: string | undefined) {
  return id === undefined ? [] : [{ ...key, id, epoch: '0', failures: 0 }];
}
