import { Commands } from '@gondola/lanes/commands/commands';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { Database } from '@gondola/service-kit/database/database';
import { auditAsked } from '@gondola/service-kit/logging/audit';
import { currentOperator } from '@gondola/service-kit/logging/operator';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { derivedCommandKey } from '@gondola/shared/topics/dedup-keys';
import { subjectOf } from '@gondola/shared/topics/identities';
import { Inject, Injectable } from '@nestjs/common';
import { orderNumberOf } from '../facts/order-lane.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import { type AskedBy, askedCommandId } from './operator-command.ts';

/** Value of `requestedBy` if the call names no operator: the operations API has one token for all. */
const REQUESTED_BY = 'gondola';
const ID_BYTES = 16;

/** A command that an operator requests. */
export interface WantedCommand {
  readonly tenant: string;
  readonly orderNumber: string;
  readonly command: 'RefreshOrder' | 'ReleaseOrder' | 'WithdrawCommand';
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly traceparent: string;
}

/** Result of a request to withdraw a command. */
export type Withdrawal =
  | { readonly kind: 'asked'; readonly commandId: string }
  | { readonly kind: 'unknown' }
  /** Already concluded with `outcome`. */
  | { readonly kind: 'ended'; readonly outcome: string }
  /** A command without an order is in no order's queue. */
  | { readonly kind: 'no-order' };

/**
 * Requests a command as the ERP would: it is published to the topic of commands, so that the same rules hold and its
 * result is published.
 */
@Injectable()
export class AskCommand {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly commands: Commands,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake'>,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async withdraw(tenant: string, withdraws: string, traceparent: string): Promise<Withdrawal> {
    const [found] = await this.commands.named(this.database, tenant, ORDER_COMMANDS, [withdraws]);
    if (found === undefined) return { kind: 'unknown' };
    if (found.outcome !== null) return { kind: 'ended', outcome: found.outcome };
    const orderNumber = orderNumberOf(found);
    if (orderNumber === null) return { kind: 'no-order' };
    const wanted = { tenant, orderNumber, command: 'WithdrawCommand', fields: { withdraws }, traceparent } as const;
    return { kind: 'asked', commandId: await this.ask('withdraw', wanted) };
  }

  /** Returns the `commandId`, which begins with `prefix`. */
  async ask(prefix: AskedBy, { tenant, orderNumber, command, fields, traceparent }: WantedCommand): Promise<string> {
    const commandId = askedCommandId(prefix, this.randomness.bytes(ID_BYTES));
    const time = new Date(this.clock.now()).toISOString();
    const asked = { requestedAt: time, requestedBy: currentOperator() ?? REQUESTED_BY, tenant };
    const value = { commandId, command, orderNumber: Number(orderNumber), ...fields, ...asked };
    await this.database.transaction((tx) =>
      this.outbox.append(tx, [
        {
          topic: ORDER_COMMANDS,
          key: orderNumber,
          id: derivedCommandKey(tenant, commandId),
          type: command,
          time,
          tenant,
          subject: subjectOf({ kind: 'order', identity: orderNumber }),
          commandId,
          traceparent,
          value: Buffer.from(JSON.stringify(value)),
        },
      ]),
    );
    auditAsked(this.logger, { command, commandId, tenant, orderNumber });
    this.relay.wake();
    return commandId;
  }
}
