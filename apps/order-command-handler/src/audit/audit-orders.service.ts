import { setTimeout as delay } from 'node:timers/promises';
import { ASLEEP, type ClaimedLane, Lanes } from '@gondola/lanes/lanes/lanes';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { doubledMs } from '@gondola/shared/backoff';
import { isNotSent } from '@gondola/shared/commands/attempts';
import { MINUTE_MS } from '@gondola/shared/durations';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { AuditEntity } from './audit.entity.ts';
import { AUDIT_LANE } from './audit-lane.ts';
import { type AuditRead, AuditsRepository, type NextOrder } from './audits.repository.ts';
import { type Compared, compareOrder, type Difference } from './compare-order.ts';
import { isInMonth, type Month, monthOf } from './month.ts';
import {
  type KnownOrder,
  ReadAuditedOrder,
  type ShopRead,
  type Turn,
  UNKNOWN_ORDER,
} from './read-audited-order.service.ts';

type AuditTenant = Pick<TenantConfig, 'id' | 'audit'>;

/** Reads whose results one transaction stores: those of a second, and no more than this. */
const MOST_AT_ONCE = 50;
const MOST_FAILURES = 5;
const SECONDS_OF_MINUTE = 60;

/**
 * Mechanism 2 for audits: one step reads as many orders as a second allows, and stores what it found. All state is in
 * the database, so that an audit goes on after a kill behind what was stored, on whichever replica.
 *
 *   start ──▶ numbers of the month are stored ──▶ read, oldest due first ──▶ finished, once none is open
 *                                                  │  ▲
 *   number ── read ── agrees ──▶ agrees            │  └ paused by a circuit breaker, stopped: nothing is counted
 *              │ ├─── no such order, none published ──▶ absent
 *              │ ├─── created in another month ──▶ outside
 *              │ ├─── differs ── read again a minute later ── differs ──▶ differs
 *              │ └─── refused ──▶ differs: not comparable
 *              └───── the platform fails for this number: later again ── five times ──▶ differs: not comparable
 */
@Injectable()
export class AuditOrders implements OnModuleInit {
  readonly #tenants: ReadonlyMap<string, AuditTenant>;

  constructor(
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'add'>,
    private readonly lanes: Lanes,
    private readonly audits: AuditsRepository,
    private readonly orders: ReadAuditedOrder,
    private readonly randomness: Randomness,
    @Inject(TENANTS) tenants: readonly AuditTenant[],
  ) {
    this.#tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  }

  onModuleInit(): void {
    this.workers.add({
      kind: AUDIT_LANE,
      batchSize: 1,
      step: async ([lane], signal) => (lane === undefined ? undefined : this.#step(lane, signal)),
    });
  }

  async #step(lane: ClaimedLane, signal: AbortSignal): Promise<void> {
    const audit = await this.audits.running(lane.tenant);
    const month = audit === null ? null : monthOf(audit.month);
    if (audit === null || month === null) return this.lanes.finish([lane], ASLEEP);
    if (!audit.isListed) {
      return this.lanes.finish(
        [lane],
        () => 0,
        (tx) => this.audits.list(tx, audit, month.from, month.to),
      );
    }
    const { reads, sleepMs } = await this.#readPage(audit, month, signal);
    await this.lanes.finish(
      [lane],
      () => sleepMs,
      (tx) => this.audits.save(tx, audit.id, reads),
    );
  }

  async #readPage(
    audit: AuditEntity,
    month: Month,
    signal: AbortSignal,
  ): Promise<{ readonly reads: readonly AuditRead[]; readonly sleepMs: number }> {
    const { id, tenant } = audit;
    const { readsPerMinute } = this.#tenants.get(tenant)!.audit;
    const pausedMs = this.orders.pausedForMs(tenant);
    if (pausedMs > 0) return { reads: [], sleepMs: pausedMs };
    const size = Math.min(Math.ceil(readsPerMinute / SECONDS_OF_MINUTE), MOST_AT_ONCE);
    const open = await this.audits.next(id, size);
    const page = open.filter(({ dueInMs }) => dueInMs <= 0);
    if (page.length === 0) return { reads: [], sleepMs: open[0]?.dueInMs ?? 0 };
    const turn: Turn = async () => {
      const inMs = await this.audits.takeTurn(id, MINUTE_MS / readsPerMinute);
      if (inMs !== null && inMs >= 1) await delay(inMs, undefined, { signal }).catch(() => {});
      return inMs !== null && !signal.aborted;
    };
    const options = { signal, turn, traceparent: tracing.begin('audit orders', this.randomness.bytes) };
    const known = await this.orders.known(
      tenant,
      page.map(({ orderNumber }) => orderNumber),
    );
    const reads: AuditRead[] = [];
    for (const order of page) {
      const its = known.get(order.orderNumber) ?? (known.has(order.orderNumber) ? null : UNKNOWN_ORDER);
      if (its === null) {
        reads.push(notComparable({ ...UNREAD, ...order }, 'not loaded'));
        continue;
      }
      const isElsewhere = isInMonth(its.createdAt, month) === false;
      const read = isElsewhere ? null : await this.orders.shop(tenant, order.orderNumber, its, options);
      // A read that a stop cut off is made again.
      if (read?.kind === 'ended' || signal.aborted) break;
      if (read?.kind === 'unavailable' && isNotSent(read)) return { reads, sleepMs: read.retryAfterMs };
      reads.push(read === null ? { ...UNREAD, ...order, outcome: 'outside' } : judgeRead(order, its, read, month));
    }
    return { reads, sleepMs: 0 };
  }
}

const NO_CENTS = { shopCents: null, publishedCents: null, chargedCents: null, invoicedCents: null };
const UNREAD = { outcome: null, isErased: false, differences: null, againInMs: 0, ...NO_CENTS } as const;

/** Result of a read of an order. */
function judgeRead(
  order: Pick<NextOrder, 'orderNumber' | 'looks' | 'failures'>,
  known: KnownOrder,
  read: Exclude<ShopRead, { readonly kind: 'ended' }>,
  month: Month,
): AuditRead {
  const { orderNumber, looks, failures } = order;
  const base = { ...UNREAD, orderNumber, looks, failures, isErased: known.isErased };
  if (read.kind === 'unavailable' && failures + 1 < MOST_FAILURES)
    return { ...base, failures: failures + 1, againInMs: doubledMs(MINUTE_MS / 2, failures + 1) };
  if (read.kind === 'unavailable') return notComparable(base, read.cause);
  if (read.kind === 'refused') return notComparable(base, `refused ${read.status}`);
  if (read.kind === 'found' && isInMonth(read.createdAt ?? known.createdAt, month) === false)
    return { ...base, outcome: 'outside' };
  if (read.kind === 'not-found' && known.published === null) return { ...base, outcome: 'absent' };
  const shop = read.kind === 'found' ? read.shop : null;
  const { differences, cents } = compareOrder({ ...known, shop });
  if (differences.length > 0 && looks === 0) return { ...base, looks: 1, againInMs: MINUTE_MS };
  return { ...base, ...columnsOf(cents), outcome: differences.length > 0 ? 'differs' : 'agrees', differences };
}

function notComparable(read: AuditRead, about: string): AuditRead {
  const difference: Difference = { kind: 'not-comparable', about, shop: null, published: null, erp: null };
  return { ...read, outcome: 'differs', differences: [difference] };
}

function columnsOf({ shop, published, charged, invoiced }: Compared['cents']) {
  return { shopCents: shop, publishedCents: published, chargedCents: charged, invoicedCents: invoiced };
}
