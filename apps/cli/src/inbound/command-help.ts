import type { Command } from 'commander';
import type { Action } from '../domain/action.ts';
import type { Say } from '../domain/texts/texts.ts';

/** Takes note of what is to be done; nothing is done while a command line is read. */
export type Choose = (action: Action) => void;

/** A command that only holds others. */
export function group(parent: Command, name: string, description: string, say: Say): Command {
  return parent
    .command(name)
    .description(description)
    .usage(`${say('usageCommand')} ${say('usageOptions')}`)
    .helpCommand(false);
}

/** Shows below a command's help how it is used; command lines are the same in every language. */
export function examples(command: Command, say: Say, lines: readonly string[]): void {
  command.addHelpText('after', `\n${say('titleExamples')}\n${lines.map((line) => `  gondola ${line}`).join('\n')}`);
}
