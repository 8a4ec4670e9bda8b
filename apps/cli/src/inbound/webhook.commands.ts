import type { Command } from 'commander';
import { filledOf, webhookUrlOf } from '../domain/option-values.ts';
import type { Say } from '../domain/texts/texts.ts';
import { type Choose, examples, group } from './command-help.ts';

export function webhookCommands(program: Command, say: Say, choose: Choose): void {
  const webhook = group(program, 'webhook', say('webhook'), say);
  const options = say('usageOptions');

  const register = webhook
    .command('register')
    .description(say('webhookRegister'))
    .usage(options)
    .requiredOption('--tenant <id>', say('optTenant'))
    .requiredOption('--url <url>', say('optWebhookUrl'))
    .option('--confirm', say('optConfirm'))
    .action(({ tenant, url, confirm }: { tenant: string; url: string; confirm?: true }) =>
      choose({
        kind: 'webhook-register',
        tenant: filledOf('--tenant', tenant, say),
        url: webhookUrlOf(url, say),
        confirm: confirm === true,
      }),
    );
  examples(register, say, [
    'webhook register --tenant acme --url https://gondola.example.com/webhooks/platform',
    'webhook register --tenant acme --url https://gondola.example.com/webhooks/platform --confirm',
  ]);

  const status = webhook
    .command('status')
    .description(say('webhookStatus'))
    .usage(options)
    .option('--tenant <id>', say('optTenant'))
    .action(({ tenant }: { tenant?: string }) => choose({ kind: 'webhook-status', tenant }));
  examples(status, say, ['webhook status', 'webhook status --tenant acme --json']);
}
