import type { Command } from 'commander';
import type { Say } from '../texts/texts.ts';
import type { Task } from './task.ts';

/** Receives the task of the command line; reading a command line does nothing else. */
export type Choose = (task: Task) => void;

/** A command that only holds subcommands. */
export function group(parent: Command, name: string, description: string, say: Say): Command {
  return parent
    .command(name)
    .description(description)
    .usage(`${say('usageCommand')} ${say('usageOptions')}`)
    .helpCommand(false);
}

/** Adds examples to a command's help; they are the same in every language. */
export function examples(command: Command, say: Say, lines: readonly string[]): void {
  command.addHelpText('after', `\n${say('titleExamples')}\n${lines.map((line) => `  gondola ${line}`).join('\n')}`);
}
