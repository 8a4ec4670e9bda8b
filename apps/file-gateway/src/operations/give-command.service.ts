import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { CommandIdentity } from '@gondola/shared/commands/command-identity';
import { derivedCommandKey } from '@gondola/shared/topics/dedup-keys';
import { Inject, Injectable } from '@nestjs/common';
import { COMMAND_SENDERS, FILE_COMMANDS, readFileCommandIdentity } from '../commands/file-command-identity.ts';

export const GIVEN_COMMANDS = Object.entries(COMMAND_SENDERS).flatMap(([name, sender]) =>
  sender === 'erp' ? [name] : [],
);

/** Far below the topic's limit; the largest sensible command has a few thousand characters. */
const MOST_BYTES = 262_144;

export type GivenCommand =
  | { readonly kind: 'given'; readonly tenant: string; readonly commandId: string }
  | { readonly kind: 'not-a-command'; readonly reason: string }
  | { readonly kind: 'too-large' };

/**
 * Publishes a command on the commands topic as the ERP would, so that it passes the same intake and rules, and its
 * result is published.
 */
@Injectable()
export class GiveCommand {
  readonly #tenants: readonly string[];

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake'>,
    private readonly clock: Clock,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  async run(command: unknown, traceparent: string): Promise<GivenCommand> {
    const value = Buffer.from(JSON.stringify(command ?? null));
    if (value.length > MOST_BYTES) return { kind: 'too-large' };
    const reading = readFileCommandIdentity(value, { tenantHeader: undefined, tenants: this.#tenants });
    if (reading.kind !== 'command') return { kind: 'not-a-command', reason: reading.reason.en };
    const { identity } = reading;
    if (!GIVEN_COMMANDS.includes(identity.command)) {
      return { kind: 'not-a-command', reason: `command is one of: ${GIVEN_COMMANDS.join(', ')}` };
    }
    await this.#append(identity, value, traceparent);
    this.relay.wake();
    return { kind: 'given', tenant: identity.tenant, commandId: identity.commandId };
  }

  async #append({ tenant, commandId, command, lane }: CommandIdentity, value: Buffer, traceparent: string) {
    const time = new Date(this.clock.now()).toISOString();
    const id = derivedCommandKey(tenant, commandId);
    const record = {
      topic: FILE_COMMANDS,
      key: lane.identity,
      id,
      type: command,
      time,
      tenant,
      commandId,
      traceparent,
    };
    await this.database.transaction((tx) => this.outbox.append(tx, [{ ...record, value }]));
  }
}
