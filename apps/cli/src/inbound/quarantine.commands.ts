import type { Command } from 'commander';
import { type Action, QUARANTINE_STATES } from '../domain/action.ts';
import { choiceOf, filledOf, limitOf } from '../domain/option-values.ts';
import type { Say } from '../domain/texts/texts.ts';
import { WrongUsage } from '../domain/wrong-usage.ts';
import { type Choose, examples } from './command-help.ts';

interface QuarantineOptions {
  tenant?: string;
  reason?: string;
  state?: string;
  limit?: string;
  before?: string;
  body?: true;
}

export function quarantineCommands(notifications: Command, say: Say, choose: Choose): void {
  const options = say('usageOptions');
  const quarantine = notifications
    .command('quarantine [id]')
    .description(say('notificationsQuarantine'))
    .usage(`[id] ${options}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--reason <code>', say('optReason'))
    .option('--state <state>', say('optState', { states: QUARANTINE_STATES.join(', ') }))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .option('--body', say('optBody'))
    .action((id: string | undefined, given: QuarantineOptions) => choose(quarantineAction(id, given, say)));
  examples(quarantine, say, [
    'notifications quarantine --tenant acme --state open',
    'notifications quarantine --reason NOT_JSON --json',
    'notifications quarantine 17 --body',
  ]);

  const reprocess = notifications
    .command('reprocess <id>')
    .description(say('notificationsReprocess'))
    .usage(`<id> ${options}`)
    .action((id: string) => choose({ kind: 'quarantine-reprocess', id }));
  examples(reprocess, say, ['notifications reprocess 17']);

  const discard = notifications
    .command('discard <id>')
    .description(say('notificationsDiscard'))
    .usage(`<id> ${options}`)
    .requiredOption('--note <text>', say('optNote'))
    .action((id: string, { note }: { note: string }) =>
      choose({ kind: 'quarantine-discard', id, note: filledOf('--note', note, say) }),
    );
  examples(discard, say, ['notifications discard 17 --note "teste da agência / test of the agency"']);
}

function quarantineAction(id: string | undefined, given: QuarantineOptions, say: Say): Action {
  const { body, ...filters } = given;
  if (id === undefined) {
    if (body) throw new WrongUsage(say('bodyWithoutId'));
    const { tenant, reason, before } = filters;
    const state = choiceOf('--state', filters.state, QUARANTINE_STATES, say);
    return { kind: 'quarantine-list', filters: { tenant, reason, state, before }, limit: limitOf(filters.limit, say) };
  }
  const filter = Object.keys(filters)[0];
  if (filter !== undefined) throw new WrongUsage(say('idWithFilters', { option: `--${filter}` }));
  return { kind: 'quarantine-show', id, body: body === true };
}
