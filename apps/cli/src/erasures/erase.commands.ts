import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { emailOf, filledOf, orderNumberOf, WrongUsage } from '../command-line/option-values.ts';
import type { Say } from '../texts/texts.ts';
import { eraseOrders, showOrder } from './erase-orders.ts';
import { eraseUser, showUser } from './erase-user.ts';

interface OrderOptions {
  tenant: string;
  confirm?: true;
}

interface UserOptions extends OrderOptions {
  email: string;
}

/** Erasures in every app that stores content; each app records its own erasures. */
export function eraseCommands(program: Command, say: Say, choose: Choose): void {
  const erase = group(program, 'erase', say('erase'), say);
  const order = erase
    .command('order <number>')
    .description(say('eraseOrder'))
    .usage(`<number> ${say('usageOptions')}`)
    .requiredOption('--tenant <id>', say('optTenant'))
    .option('--confirm', say('optConfirm'))
    .action((number: string, given: OrderOptions, command: Command) => {
      refuseOneAddress(command, say);
      const tenant = filledOf('--tenant', given.tenant, say);
      const orderNumber = orderNumberOf(number, say, '<number>');
      choose((session) =>
        given.confirm ? eraseOrders(session, tenant, [orderNumber]) : showOrder(session, tenant, orderNumber),
      );
    });
  examples(order, say, ['erase order 100234 --tenant acme', 'erase order 100234 --tenant acme --confirm']);

  const user = erase
    .command('user')
    .description(say('eraseUser'))
    .usage(say('usageOptions'))
    .requiredOption('--tenant <id>', say('optTenant'))
    .requiredOption('--email <address>', say('optEmail'))
    .option('--confirm', say('optConfirm'))
    .action((given: UserOptions, command: Command) => {
      refuseOneAddress(command, say);
      const shopper = { tenant: filledOf('--tenant', given.tenant, say), email: emailOf(given.email, say) };
      choose((session) => (given.confirm ? eraseUser(session, shopper) : showUser(session, shopper)));
    });
  examples(user, say, [
    'erase user --tenant acme --email cliente.teste01@example.com',
    'erase user --tenant acme --email cliente.teste01@example.com --confirm',
  ]);
}

/** Refuses `--api-url`, which is the address of one app only. */
function refuseOneAddress(command: Command, say: Say): void {
  if (command.optsWithGlobals<{ apiUrl?: string }>().apiUrl !== undefined) throw new WrongUsage(say('apiUrlOfSeveral'));
}
