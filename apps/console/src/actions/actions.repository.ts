import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { DAY_MS } from '@gondola/shared/durations';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, IsNull, LessThan } from 'typeorm';
import type { Actor } from '../operators/operator.ts';
import { ActionEntity } from './action.entity.ts';

export interface NewAction {
  readonly operator: Actor;
  readonly tenant: string | null;
  readonly action: string;
  readonly subject: string | null;
}

export interface ActionFilter {
  /** Null among them: those on all tenants; undefined: every one. */
  readonly tenants: ReadonlyArray<string | null> | undefined;
  readonly subject: string | undefined;
  /** Only those older than this id. */
  readonly before: string;
  readonly limit: number;
}

/** Actions are deleted after a year. */
const KEPT_MS = 365 * DAY_MS;
export const OLDEST_ACTION = `SELECT min(at) + ${KEPT_MS} * interval '1 millisecond' AS due FROM actions`;

/** Actions of operators. */
@Injectable()
export class ActionsRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Stores an action before it is done, and returns its id. */
  async begin({ operator: { name, method, subject }, ...action }: NewAction): Promise<string> {
    const who = { operator: name, operatorMethod: method, operatorSubject: subject };
    const row = { ...action, ...who, at: new Date(this.clock.now()), outcome: 'begun', status: null } as const;
    const { identifiers } = await this.database.repository(ActionEntity).insert(row);
    return String(identifiers[0]?.['id']);
  }

  /** `status` null: no answer came, so that the action may have been done or not. */
  async complete(id: string, status: number | null): Promise<void> {
    const outcome = status === null || status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'done';
    await this.database.repository(ActionEntity).update({ id }, { outcome, status });
  }

  /** Newest first. */
  async list({ tenants, subject, before, limit }: ActionFilter): Promise<ActionEntity[]> {
    const common = { id: LessThan(before), ...(subject === undefined ? {} : { subject }) };
    const where: FindOptionsWhere<ActionEntity>[] =
      tenants === undefined ? [common] : tenants.map((tenant) => ({ ...common, tenant: tenant ?? IsNull() }));
    return this.database.repository(ActionEntity).find({ where, order: { id: 'DESC' }, take: limit });
  }

  async deleteOld(): Promise<void> {
    await this.database.repository(ActionEntity).delete({ at: LessThan(new Date(this.clock.now() - KEPT_MS)) });
  }
}
