import { saysLines } from '@gondola/platform-client/wire-bodies';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import { lateCallMs } from '@gondola/shared/commands/late-calls';
import { retrySettings } from '@gondola/shared/commands/retry';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { Inject, Injectable } from '@nestjs/common';
import type { CommandSettings } from '../commands/decision.ts';
import type { WatchSettings } from './order-watch.ts';
import type { TimeLimits } from './time-limits.ts';
import type { TenantUnits } from '../commands/order-command.ts';
import type { Config } from '../config.ts';

export interface LaneSettings extends CommandSettings {
  /** Pauses between two reads of an order that stays in 750. */
  readonly watch: WatchSettings;
  /** Longest stay of an order in each state before `OrderNeedsAttention`. */
  readonly limits: TimeLimits;
}

/** Settings of a tenant's lane steps. */
export interface OrderTenant {
  readonly language: Language;
  readonly units: TenantUnits;
  /**
   * Most calls at once; further steps hand their lanes back, so that calls leave room for steps that only fold facts.
   */
  readonly maxCalls: number;
  readonly deadlines: TenantConfig['deadlines'];
  readonly settings: LaneSettings;
}

/** Longest pause before the first read of an invoice is repeated. */
const MAX_READ_BACK_MS = 1_000;

/** The settings of each tenant, by its id. */
@Injectable()
export class OrderTenants {
  readonly #byId: ReadonlyMap<string, OrderTenant>;

  constructor(
    @Inject(TENANTS) tenants: readonly TenantConfig[],
    @Inject(CONFIG) { times: { lostAnswerMs, platformTimeoutMs }, watch }: OrderTimes,
  ) {
    const readBackMs = Math.min(lostAnswerMs, MAX_READ_BACK_MS);
    this.#byId = new Map(
      tenants.map(({ id, language, catalog, platform, deadlines, watch: limits }) => {
        const { commandMs: deadlineMs, invoiceMs } = deadlines;
        const { paidNoticeMs = watch.paidNoticeMs } = limits;
        const lateCalls = lateCallMs(platformTimeoutMs);
        const reading = { readBackMs, lateCallMs: lateCalls, watch: { ...watch, paidNoticeMs } };
        const isByLine = saysLines(platform.profile);
        const settings = { ...retrySettings({ deadlineMs, lostAnswerMs }), invoiceMs, isByLine, ...reading, limits };
        return [id, { language, units: catalog.units, maxCalls: platform.concurrency, deadlines, settings }] as const;
      }),
    );
  }

  /** Throws for an unconfigured tenant: its lanes have no worker. */
  of(tenant: string): OrderTenant {
    const found = this.#byId.get(tenant);
    if (found === undefined) throw new Error('The tenant of the lane is not in the tenants file');
    return found;
  }
}

export interface OrderTimes {
  readonly times: Pick<Config['times'], 'lostAnswerMs' | 'platformTimeoutMs'>;
  readonly watch: Config['watch'];
}
