import { cameAtOf } from '@gondola/lanes/commands/came-at';
import { Commands } from '@gondola/lanes/commands/commands';
import { ASLEEP, type ClaimedLane, Lanes } from '@gondola/lanes/lanes/lanes';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { readFileWork } from '../commands/file-command.ts';
import { FileSteps } from './file-steps.service.ts';
import { SaveFileStep } from './save-file-step.service.ts';

/**
 * Mechanism 2 for files: one step of one lane, with its oldest command. Calls of large files take long, so lanes do
 * not share a step.
 *
 *   load ──▶ the command's service decides ─┬─▶ an outcome, a wait ─────────┬─▶ saved ──▶ due again, or asleep
 *                                           └─▶ one call (stored before) ───┘   the call's answer: due at once
 *
 * A step saves or calls, never both: a call's answer is stored, and the next step decides by it. A command that only
 * reads is concluded with what it read.
 */
@Injectable()
export class RunFileLanes {
  readonly #tenants: ReadonlyMap<string, TenantConfig>;

  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly steps: FileSteps,
    private readonly saveStep: SaveFileStep,
    @Inject(TENANTS) tenants: readonly TenantConfig[],
  ) {
    this.#tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    for (const lane of lanes) await this.#stepOf(lane, signal);
  }

  async #stepOf(lane: ClaimedLane, signal: AbortSignal): Promise<void> {
    const [command] = await this.commands.heads(this.database, [lane.id]);
    if (command === undefined) return this.lanes.finish([lane], ASLEEP);
    const tenant = this.#tenants.get(lane.tenant);
    if (tenant === undefined) throw new Error('The tenant of the lane is not in the tenants file');
    const { traceparent, commandId } = command;
    const askedBy = [{ commandId, cameAt: cameAtOf(command), entity: lane.identity }];
    const work = { lane, command, tenant, call: { tenant: tenant.id, signal, traceparent, askedBy } };
    await this.saveStep.save(work, await this.steps.step(work, readFileWork(command.value, tenant.language)));
  }
}
