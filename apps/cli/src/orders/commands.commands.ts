import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { ask, done, type Task } from '../command-line/task.ts';
import { cell, fieldsOf } from '../output/blocks.ts';
import { EXIT } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { timelineBlock } from './order-blocks.ts';

const APP = 'order-command-handler';

interface Options {
  tenant?: string;
}

/** The ERP's order commands. */
export function commandCommands(program: Command, say: Say, choose: Choose): void {
  const commands = group(program, 'commands', say('commands'), say);
  const show = commands
    .command('show <commandId>')
    .description(say('commandsShow'))
    .usage(`<commandId> ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .action((commandId: string, { tenant }: Options) => choose(showCommand(commandId, tenant)));
  examples(show, say, ['commands show c-88', 'commands show c-88 --tenant acme --json']);

  const withdraw = commands
    .command('withdraw <commandId>')
    .description(say('commandsWithdraw'))
    .usage(`<commandId> ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .action((commandId: string, { tenant }: Options) => choose(withdrawCommand(commandId, tenant)));
  examples(withdraw, say, ['commands withdraw c-88 --tenant acme']);
}

function showCommand(commandId: string, tenant: string | undefined): Task {
  return async (session) => {
    const { say } = session;
    const request = { app: APP, method: 'GET', path: pathOf(commandId), query: { tenant } } as const;
    return await ask(session, request, (command) => {
      const { timeline, ...rest } = command;
      const course = timelineBlock(timeline, say);
      const blocks = [fieldsOf(rest), ...(course === null ? [] : [course])];
      return { json: command, blocks, notes: [], exit: EXIT.done };
    });
  };
}

/** Gives the command that the ERP would give; its own result shows whether it was in time. */
function withdrawCommand(commandId: string, tenant: string | undefined): Task {
  const body = tenant === undefined ? {} : { tenant };
  return async (session) => {
    const request = { app: APP, method: 'POST', path: `${pathOf(commandId)}/withdraw`, body } as const;
    return await ask(session, request, (answer) =>
      done(answer, session.say('withdrawalAsked', { id: commandId, by: cell(answer['commandId']) })),
    );
  };
}

function pathOf(commandId: string): string {
  return `/api/commands/${encodeURIComponent(commandId)}`;
}
