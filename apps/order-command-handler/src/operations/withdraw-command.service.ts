import { Commands } from '@gondola/messaging/commands/commands';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { derivedCommandKey } from '@gondola/shared/topics/dedup-keys';
import { subjectOf } from '@gondola/shared/topics/identities';
import { Inject, Injectable } from '@nestjs/common';
import { orderNumberOf } from '../orders/order-lane.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';

/** Who is named as `requestedBy`: the operations API has one token. */
const REQUESTED_BY = 'gondola';
const ID_BYTES = 16;

export type Withdrawal =
  | { readonly kind: 'asked'; readonly commandId: string }
  | { readonly kind: 'unknown' }
  /** Nothing can be withdrawn: `outcome` is the command's. */
  | { readonly kind: 'ended'; readonly outcome: string }
  /** A command that names no order stands in no order's queue. */
  | { readonly kind: 'no-order' };

/**
 * Asks for a command to be withdrawn, as the ERP would: a `WithdrawCommand` goes to the topic of commands and is judged
 * in its turn, so that the same rules hold, and its result is published.
 */
@Injectable()
export class WithdrawCommand {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly outbox: Outbox,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake'>,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async run(tenant: string, withdraws: string, traceparent: string): Promise<Withdrawal> {
    const [found] = await this.commands.named(this.database, tenant, ORDER_COMMANDS, [withdraws]);
    if (found === undefined) return { kind: 'unknown' };
    if (found.outcome !== null) return { kind: 'ended', outcome: found.outcome };
    const orderNumber = orderNumberOf(found);
    if (orderNumber === null) return { kind: 'no-order' };
    const commandId = `withdraw-${Buffer.from(this.randomness.bytes(ID_BYTES)).toString('hex')}`;
    const time = new Date(this.clock.now()).toISOString();
    const asked = { requestedAt: time, requestedBy: REQUESTED_BY, tenant };
    const value = { commandId, command: 'WithdrawCommand', orderNumber: Number(orderNumber), withdraws, ...asked };
    await this.database.transaction((tx) =>
      this.outbox.append(tx, [
        {
          topic: ORDER_COMMANDS,
          key: orderNumber,
          id: derivedCommandKey(tenant, commandId),
          type: 'WithdrawCommand',
          time,
          tenant,
          subject: subjectOf({ kind: 'order', identity: orderNumber }),
          commandId,
          traceparent,
          value: Buffer.from(JSON.stringify(value)),
        },
      ]),
    );
    this.relay.wake();
    return { kind: 'asked', commandId };
  }
}
