import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { type Route, type RouteName, ROUTES } from '@gondola/platform-client/routes';
import type { ChangingRoute, LeftOutChange } from '@gondola/platform-client/shadow';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { ShadowCalls } from '@gondola/service-kit/platform/shadow-calls';
import { Clock } from '@gondola/service-kit/run/clock';
import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { DAY_MS } from '@gondola/shared/durations';

import { deleteInSteps } from '../store/delete-in-steps.ts';
import { type Column, insertRows } from '../store/new-rows.ts';
import type { ShadowDifference, VerdictCount } from './shadow.dto.ts';
import { ShadowModes } from '../modes/shadow-modes.ts';
import { SEEN_OF_ORDER, type SeenOfOrder, type ShadowRow, type Verdict } from '@gondola/shared/shadow/shadow-verdict';

/** Routes whose entity is an order. */
const ORDER_ROUTES: readonly (ChangingRoute | SeenOfOrder)[] = [
  'patchOrderStatus',
  'putOrder',
  'putInvoiced',
  'cancelOrder',
  'uploadInvoicePdf',
  ...Object.values(SEEN_OF_ORDER),
];

/** Routes on which the newest record of an entity takes the place of those before. */
const NEWEST_COUNTS = Object.keys(ROUTES).filter((name) => {
  const route: Route = ROUTES[name as RouteName];
  return route.takes === 'records';
});

/** A row before its first comparison. */
interface NewRow extends Omit<LeftOutChange, 'route'> {
  readonly route: string;
  readonly side: ShadowRow['side'];
  readonly lookAt: Date;
}

/** A change that the shop shows. */
export type SeenChange = Pick<NewRow, 'tenant' | 'route' | 'entity' | 'commandId' | 'body'>;

const COLUMNS: readonly Column<NewRow>[] = [
  ['tenant', 'text', ({ tenant }) => tenant],
  ['route', 'text', ({ route }) => route],
  ['entity', 'text', ({ entity }) => entity],
  ['command_id', 'text', ({ commandId }) => commandId],
  ['body', 'text', ({ body }) => body],
  [
    'sha256',
    'text',
    ({ body }) =>
      createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
  ],
  ['side', 'text', ({ side }) => side],
  ['look_at', 'timestamptz', ({ lookAt }) => lookAt],
];

const AGAIN = `
  ON CONFLICT ON CONSTRAINT shadow_calls_call_key
    DO UPDATE SET last_at = now(), times = shadow_calls.times + 1`;

/** $1 tenants, $2 order numbers: what was stored beside an erasure of its order. */
const FORGET_ERASED = `
  UPDATE shadow_calls AS call SET body = NULL
  FROM order_erasures AS erased
  WHERE call.tenant = ANY ($1) AND call.entity = ANY ($2) AND call.route = ANY ($3)
    AND erased.tenant = call.tenant AND erased.order_number = call.entity`;

const ERASE = `
  DELETE FROM shadow_calls WHERE tenant = $1 AND entity = $2 AND route = ANY ($3)`;

/** $1 tenants, $2 routes on which the newest record counts, $3 at most. */
const DUE = `
  SELECT id::text, tenant, side, route, entity, command_id AS "commandId", body, left_out_at AS "leftOutAt", verdict,
    route = ANY ($2) AND EXISTS (
      SELECT FROM shadow_calls AS newer
      WHERE newer.tenant = call.tenant AND newer.entity = call.entity AND newer.route = call.route AND newer.id > call.id
    ) AS "isSuperseded"
  FROM shadow_calls AS call WHERE look_at <= now() AND tenant = ANY ($1) ORDER BY look_at, id LIMIT $3`;

const JUDGED = `
  UPDATE shadow_calls SET verdict = $2, found = $3, why = $4, late_ms = $5,
    look_at = now() + $6::float8 * interval '1 millisecond'
  WHERE id = $1`;

const POSTPONED = `
  UPDATE shadow_calls SET look_at = now() + $2::float8 * interval '1 millisecond' WHERE id = ANY ($1::bigint[])`;

/** $1 tenant, null for all. */
const COUNTS = `
  SELECT tenant, COALESCE(verdict, 'open') AS kind, count(*)::integer AS count
  FROM shadow_calls WHERE ($1::text IS NULL OR tenant = $1) AND (side = 'gondola' OR verdict = 'only-old')
  GROUP BY 1, 2 ORDER BY 1, 2`;

/** $1 tenant, $2 kind, null for all, $3 id of the page before, $4 at most. */
const DIFFERENCES = `
  SELECT id::text, tenant, verdict AS kind, route, entity, NULLIF(command_id, '') AS "commandId",
    CASE side WHEN 'gondola' THEN body END AS gondola, CASE side WHEN 'gondola' THEN found ELSE body END AS shop,
    why, late_ms::float8 AS "lateMs", left_out_at AS "at"
  FROM shadow_calls WHERE verdict <> 'same' AND ($1::text IS NULL OR tenant = $1) AND ($2::text IS NULL OR verdict = $2)
    AND id < $3 ORDER BY id DESC LIMIT $4`;

const OLDEST = `SELECT min(last_at) + $1::float8 * interval '1 millisecond' AS due FROM shadow_calls`;

const RETENTION_MS = 30 * DAY_MS;

/**
 * Changes that tenants in shadow left out, those that the shop shows beside them, and the verdicts of the comparison;
 * deleted 30 days later, or with their order.
 */
@Injectable()
export class StoredShadowCalls extends ShadowCalls {
  readonly #settleMs: ReadonlyMap<string, number>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(ShadowModes) private readonly modes: Pick<ShadowModes, 'of'>,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'mode' | 'deadlines'>>,
  ) {
    super();
    const inShadow = tenants.filter(({ mode }) => mode === 'shadow');
    this.#settleMs = new Map(inShadow.map(({ id, deadlines }) => [id, deadlines.commandMs]));
  }

  override leavesOut(tenant: string, cameAt: number | null): boolean {
    return this.modes.of(tenant, cameAt) === 'shadow';
  }

  /** Tenants in shadow, and the time that the other connector may take for a change, in milliseconds. */
  get settleMs(): ReadonlyMap<string, number> {
    return this.#settleMs;
  }

  override async store(changes: readonly LeftOutChange[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      const rows = changes.map((each) => ({
        ...each,
        side: 'gondola' as const,
        lookAt: this.#in(this.#settleOf(each)),
      }));
      await insertRows(tx, 'shadow_calls', COLUMNS, rows, AGAIN);
      const tenants = changes.map(({ tenant }) => tenant);
      await tx.query(FORGET_ERASED, [tenants, changes.map(({ entity }) => entity), ORDER_ROUTES]);
    });
  }

  /** Stores what the shop shows of tenants in shadow; it is compared after what Gondola left out. */
  async saw(tx: Tx, changes: readonly SeenChange[]): Promise<void> {
    const rows = changes.map((each) => ({
      ...each,
      side: 'shop' as const,
      lookAt: this.#in(3 * this.#settleOf(each)),
    }));
    await insertRows(tx, 'shadow_calls', COLUMNS, unique(rows), 'ON CONFLICT DO NOTHING');
  }

  /** Stores what Gondola published, for which the ERP has time until the end of a limit. */
  async awaits(tx: Tx, changes: readonly (SeenChange & { readonly lookInMs: number })[]): Promise<void> {
    const rows = changes.map(({ lookInMs, ...each }) => ({
      ...each,
      side: 'gondola' as const,
      lookAt: this.#in(lookInMs),
    }));
    await insertRows(tx, 'shadow_calls', COLUMNS, unique(rows), 'ON CONFLICT DO NOTHING');
  }

  /** Rows whose comparison is due. */
  async due(limit: number): Promise<ShadowRow[]> {
    const values = [[...this.#settleMs.keys()], NEWEST_COUNTS, limit];
    return (await this.database.query<ShadowRow & Row>(DUE, values)).rows;
  }

  async judged({ id }: ShadowRow, { verdict, found, why, lateMs, lookAgainMs }: Verdict): Promise<void> {
    await this.database.query(JUDGED, [id, verdict, found, why, lateMs, lookAgainMs]);
  }

  /** Rows of the shop that are no difference of their own. */
  async explained(ids: readonly string[]): Promise<void> {
    const text = `UPDATE shadow_calls SET verdict = 'same', look_at = NULL WHERE id = ANY ($1::bigint[])`;
    await this.database.query(text, [ids]);
  }

  async postpone(ids: readonly string[], ms: number): Promise<void> {
    await this.database.query(POSTPONED, [ids, ms]);
  }

  /** Rows of an entity on some routes, the eldest first. */
  async of(tenant: string, entity: string, routes: readonly string[]): Promise<ShadowRow[]> {
    const text = `SELECT id::text, tenant, side, route, entity, command_id AS "commandId", body, verdict,
      left_out_at AS "leftOutAt", false AS "isSuperseded" FROM shadow_calls
      WHERE tenant = $1 AND entity = $2 AND route = ANY ($3) ORDER BY id`;
    return (await this.database.query<ShadowRow & Row>(text, [tenant, entity, routes])).rows;
  }

  /** True if the shop showed something on a route. */
  async isShown(tenant: string, route: string): Promise<boolean> {
    const text = `SELECT FROM shadow_calls WHERE tenant = $1 AND route = $2 LIMIT 1`;
    return (await this.database.query(text, [tenant, route])).rows.length > 0;
  }

  async counts(tenant: string | null): Promise<VerdictCount[]> {
    return (await this.database.query<VerdictCount & Row>(COUNTS, [tenant])).rows;
  }

  /** Differences, newest first. */
  async differences(
    { tenant, kind }: { readonly tenant?: string | undefined; readonly kind?: string | undefined },
    before: string,
    limit: number,
  ): Promise<ShadowDifference[]> {
    const values = [tenant ?? null, kind ?? null, before, limit];
    return (await this.database.query<ShadowDifference & Row>(DIFFERENCES, values)).rows;
  }

  /** Deletes what was left out of an order, and returns its number of rows. */
  async erase(tx: Tx, tenant: string, orderNumber: string): Promise<number> {
    return (await tx.query(ERASE, [tenant, orderNumber, ORDER_ROUTES])).rowCount ?? 0;
  }

  #in(ms: number): Date {
    return new Date(this.clock.now() + ms);
  }

  #settleOf({ tenant }: { readonly tenant: string }): number {
    return this.#settleMs.get(tenant) ?? 0;
  }
}

type Row = { [column: string]: unknown };

/** One statement changes no row twice. */
function unique(rows: readonly NewRow[]): NewRow[] {
  const keyOf = ({ tenant, entity, route, commandId, body }: NewRow) =>
    JSON.stringify([tenant, entity, route, commandId, body]);
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** Deletes old rows every hour. */
@Injectable()
export class ShadowCallSweep extends RepeatingTask {
  constructor(database: Database, unswept: UnsweptRows, @Inject(LOGGER) logger: Logger) {
    const isOld = `last_at < now() - $1 * interval '1 millisecond'`;
    const run = () => deleteInSteps(database, 'shadow_calls', isOld, [RETENTION_MS]);
    super({ name: 'shadow call sweep', everyMs: SWEEP_MS, run, logger });
    unswept.watch('shadow_calls', OLDEST, [RETENTION_MS]);
  }
}
