import { Commands } from '@gondola/lanes/commands/commands';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { JudgeShadowCalls, ShadowJudge } from '@gondola/lanes/shadow/judge-shadow-calls';
import type { Finding, ShadowRow } from '@gondola/shared/shadow/shadow-verdict';
import type { WireProfile } from '@gondola/platform-client/wire-profile';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { orderLane } from '../facts/order-lane.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { withSkus } from '../skus/match-skus.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { judgeOrder, needsPayload, type ShownOrder } from './judge-order.ts';

const READ_MS = 30_000;

/** Lays what a tenant in shadow left out of an order beside the facts of the order, and a read of its payload. */
@Injectable()
export class CompareOrders extends ShadowJudge implements OnModuleInit {
  readonly #profiles: ReadonlyMap<string, WireProfile>;

  constructor(
    private readonly comparison: JudgeShadowCalls,
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly lanes: Lanes,
    private readonly facts: OrderFactsRepository,
    private readonly skus: SkusRepository,
    private readonly platform: PlatformAdapter,
    private readonly randomness: Randomness,
    @Inject(TENANTS) tenants: readonly TenantConfig[],
  ) {
    super();
    this.#profiles = new Map(tenants.map(({ id, platform: { profile } }) => [id, profile]));
  }

  onModuleInit(): void {
    this.comparison.lookBy(this);
  }

  override async look(
    tenant: string,
    orderNumber: string,
    rows: readonly ShadowRow[],
  ): Promise<ReadonlyMap<string, Finding>> {
    const payload = rows.some(needsPayload) ? await this.#payload(tenant, orderNumber) : null;
    const shown = { ...(await this.#stored(tenant, orderNumber)), payload };
    const profile = this.#profiles.get(tenant)!;
    return new Map(
      rows.flatMap((row) => {
        const finding = judgeOrder(row, shown, profile);
        return finding === undefined ? [] : [[row.id, finding] as const];
      }),
    );
  }

  async #stored(tenant: string, orderNumber: string): Promise<Omit<ShownOrder, 'payload'>> {
    const lane = await this.lanes.find(orderLane(tenant, orderNumber));
    if (lane === null) return { statuses: new Map(), commands: new Set() };
    const facts = await this.facts.summariesOf(lane.id);
    const statuses = facts.flatMap(({ status, receivedAt }) =>
      status === null ? [] : [[status, new Date(receivedAt)] as const],
    );
    const commands = new Set(await this.commands.namesOf(this.database, lane.id));
    // The first one counts.
    return { statuses: new Map(statuses.toReversed()), commands };
  }

  /** Null if the platform does not answer. */
  async #payload(tenant: string, orderNumber: string): Promise<ShownOrder['payload']> {
    const traceparent = tracing.begin('compare order', this.randomness.bytes);
    const signal = AbortSignal.timeout(READ_MS);
    const answer = await this.platform.readPayload({ tenant, orderNumber }, { traceparent, signal });
    if (answer.kind !== 'found') return null;
    const { bytes, price, invoices } = answer.value;
    const values = readOrderValues(parseRecord(bytes) ?? {}, Number(orderNumber));
    const named = { values, namedSkus: [] };
    const { items } = withSkus(values, (await this.skus.ofOrders(tenant, [named]))(named));
    return { price, invoices, items };
  }
}
