import type { Command } from 'commander';
import { type Consumer, CONSUMERS } from '../domain/addresses.ts';
import { choiceOf, limitOf } from '../domain/option-values.ts';
import type { Say } from '../domain/texts/texts.ts';
import { WrongUsage } from '../domain/wrong-usage.ts';
import { type Choose, examples, group } from './command-help.ts';

const ID = 'gondola.order-command-handler/erp.orders.commands.v1/0/42';
const APP = 'order-command-handler';

export function deadLetterCommands(program: Command, say: Say, choose: Choose): void {
  const letters = group(program, 'dead-letters', say('deadLetters'), say);
  const optApp = say('optApp', { apps: CONSUMERS.join(', ') });

  const list = letters
    .command('list')
    .description(say('deadLettersList'))
    .usage(say('usageOptions'))
    .option('--app <app>', optApp)
    .option('--limit <n>', say('optLimit'))
    .action(({ app, limit }: { app?: string; limit?: string }) =>
      choose({
        kind: 'dead-letters-list',
        app: choiceOf('--app', app, CONSUMERS, say),
        limit: limitOf(limit, say),
      }),
    );
  examples(list, say, ['dead-letters list', `dead-letters list --app ${APP} --limit 200 --json`]);

  const show = letters
    .command('show <id>')
    .description(say('deadLettersShow'))
    .usage(`<id> ${say('usageOptions')}`)
    .requiredOption('--app <app>', optApp)
    .option('--body', say('optBody'))
    .action((id: string, { app, body }: { app: string; body?: true }) =>
      choose({ kind: 'dead-letter-show', id, app: consumerOf(app, say), body: body === true }),
    );
  examples(show, say, [`dead-letters show ${ID} --app ${APP} --body`]);

  const redrive = letters
    .command('redrive <id>')
    .description(say('deadLettersRedrive'))
    .usage(`<id> ${say('usageOptions')}`)
    .requiredOption('--app <app>', optApp)
    .action((id: string, { app }: { app: string }) =>
      choose({ kind: 'dead-letter-redrive', id, app: consumerOf(app, say) }),
    );
  examples(redrive, say, [`dead-letters redrive ${ID} --app ${APP}`]);
}

function consumerOf(app: string, say: Say): Consumer {
  const consumer = choiceOf('--app', app, CONSUMERS, say);
  if (consumer === undefined) throw new WrongUsage(say('missingOption', { option: '--app' }));
  return consumer;
}
