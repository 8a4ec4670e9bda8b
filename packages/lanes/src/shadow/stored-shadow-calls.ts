import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import type { ChangingRoute, LeftOutChange } from '@gondola/platform-client/shadow';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { ShadowCalls } from '@gondola/service-kit/platform/shadow-calls';
import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { DAY_MS } from '@gondola/shared/durations';

import { deleteInSteps } from '../store/delete-in-steps.ts';
import { type Column, insertRows } from '../store/new-rows.ts';

/** Routes whose entity is an order. */
const ORDER_ROUTES: readonly ChangingRoute[] = [
  'patchOrderStatus',
  'putOrder',
  'putInvoiced',
  'cancelOrder',
  'uploadInvoicePdf',
];

const COLUMNS: readonly Column<LeftOutChange>[] = [
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

const OLDEST = `SELECT min(last_at) + $1::float8 * interval '1 millisecond' AS due FROM shadow_calls`;

const RETENTION_MS = 30 * DAY_MS;

/** Stores what tenants in shadow would have sent, and deletes it 30 days later, or with its order. */
@Injectable()
export class StoredShadowCalls extends ShadowCalls {
  constructor(private readonly database: Database) {
    super();
  }

  async store(changes: readonly LeftOutChange[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      await insertRows(tx, 'shadow_calls', COLUMNS, changes, AGAIN);
      const tenants = changes.map(({ tenant }) => tenant);
      await tx.query(FORGET_ERASED, [tenants, changes.map(({ entity }) => entity), ORDER_ROUTES]);
    });
  }

  /** Deletes what was left out of an order, and returns its number of rows. */
  async erase(tx: Tx, tenant: string, orderNumber: string): Promise<number> {
    return (await tx.query(ERASE, [tenant, orderNumber, ORDER_ROUTES])).rowCount ?? 0;
  }
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
