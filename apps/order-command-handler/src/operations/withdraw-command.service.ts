import { Commands } from '@gondola/messaging/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { orderNumberOf } from '../facts/order-lane.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import { AskCommand } from './ask-command.service.ts';

export type Withdrawal =
  | { readonly kind: 'asked'; readonly commandId: string }
  | { readonly kind: 'unknown' }
  /** Already concluded with `outcome`. */
  | { readonly kind: 'ended'; readonly outcome: string }
  /** A command without an order is in no order's queue. */
  | { readonly kind: 'no-order' };

/** Requests the withdrawal of a command as the ERP would. */
@Injectable()
export class WithdrawCommand {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly asking: AskCommand,
  ) {}

  async run(tenant: string, withdraws: string, traceparent: string): Promise<Withdrawal> {
    const [found] = await this.commands.named(this.database, tenant, ORDER_COMMANDS, [withdraws]);
    if (found === undefined) return { kind: 'unknown' };
    if (found.outcome !== null) return { kind: 'ended', outcome: found.outcome };
    const orderNumber = orderNumberOf(found);
    if (orderNumber === null) return { kind: 'no-order' };
    const wanted = { tenant, orderNumber, command: 'WithdrawCommand', fields: { withdraws }, traceparent } as const;
    return { kind: 'asked', commandId: await this.asking.ask('withdraw', wanted) };
  }
}
