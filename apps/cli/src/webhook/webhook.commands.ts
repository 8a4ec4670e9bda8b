import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { filledOf, webhookUrlOf } from '../command-line/option-values.ts';
import { ask, type Session } from '../command-line/task.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import { type Entry, isEntry } from '../operations-api/operations-api.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { registrationBlocks, registrationVerdict, stateBlocks } from './registration.ts';

const PATH = '/api/webhook-registration';

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
    .action((given: { tenant: string; url: string; confirm?: true }) => {
      const tenant = filledOf('--tenant', given.tenant, say);
      const body = { tenant, url: webhookUrlOf(given.url, say), ...(given.confirm ? { confirm: true } : {}) };
      choose((session) => registerWebhook(session, body));
    });
  examples(register, say, [
    'webhook register --tenant acme --url https://gondola.example.com/webhooks/platform',
    'webhook register --tenant acme --url https://gondola.example.com/webhooks/platform --confirm',
  ]);

  const status = webhook
    .command('status')
    .description(say('webhookStatus'))
    .usage(options)
    .option('--tenant <id>', say('optTenant'))
    .action(({ tenant }: { tenant?: string }) => choose((session) => webhookStatus(session, tenant)));
  examples(status, say, ['webhook status', 'webhook status --tenant acme --json']);
}

/** Registers the webhook; without `confirm` the app only answers its plan (rule 37). */
async function registerWebhook(session: Session, body: Entry): Promise<Report> {
  const { say } = session;
  return await ask(session, { app: 'webhook-ingest', method: 'POST', path: PATH, body }, (answer) => {
    const { sentence, exit } = registrationVerdict(answer, say);
    const isDone = exit === EXIT.done;
    const blocks = registrationBlocks(answer, say);
    if (isDone) blocks.push({ kind: 'line', text: sentence });
    return { json: answer, blocks, notes: isDone ? [] : [sentence], exit };
  });
}

/**
 * Shows the registrations of this installation, for one tenant or all: the platform has no route that shows them.
 */
async function webhookStatus({ api, say }: Session, tenant: string | undefined): Promise<Report> {
  const result = await api.call({ app: 'webhook-ingest', method: 'GET', path: PATH, query: { tenant } });
  if (result.kind !== 'answer') return failedReport(explainFailure(result, say));
  const { registrations } = result.body;
  if (!Array.isArray(registrations) || !registrations.every(isEntry))
    return failedReport(explainFailure({ ...result, kind: 'not-understood', status: 200 }, say));
  const blocks = registrations.flatMap((state): Block[] => [...stateBlocks(state, say), { kind: 'line', text: '' }]);
  return { json: result.body, blocks: blocks.slice(0, -1), notes: [], exit: EXIT.done };
}
