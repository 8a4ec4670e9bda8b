import { Command, CommanderError } from 'commander';
import { choiceOf } from './command-line/option-values.ts';
import { type Language, LANGUAGES } from './texts/language.ts';
import { type Say, sayIn } from './texts/texts.ts';
import { WrongUsage } from './command-line/option-values.ts';
import type { Choose } from './command-line/command-help.adapter.ts';
import type { Task } from './command-line/task.ts';
import { catalogCommands } from './catalog/catalog.commands.ts';
import { deadLetterCommands } from './dead-letters/dead-letters.commands.ts';
import { fileCommands } from './files/files.commands.ts';
import { eraseCommands } from './erasures/erase.commands.ts';
import { notificationCommands } from './notifications/notifications.commands.ts';
import { commandCommands } from './orders/commands.commands.ts';
import { orderCommands } from './orders/orders.commands.ts';
import { recordCommands } from './records/records.commands.ts';
import { webhookCommands } from './webhook/webhook.commands.ts';

/** Options of every command. */
interface GlobalOptions {
  readonly json: boolean;
  readonly apiUrl: string | undefined;
}

/** A parsed command line; its texts are in the language of the parsing. */
export type Parsed =
  | { kind: 'run'; task: Task; options: GlobalOptions }
  | { kind: 'help'; text: string }
  | { kind: 'wrong-usage'; message: string };

const HELP_WIDTH = 110;

/** Parses the arguments after `gondola`, without input or output. */
export function parseCommand(args: readonly string[], language: Language): Parsed {
  const say = sayIn(language);
  let task: Task | undefined;
  let printed = '';
  const program = emptyProgram(say, (text) => void (printed += text));
  const choose: Choose = (chosen) => void (task = chosen);
  orderCommands(program, say, choose);
  commandCommands(program, say, choose);
  catalogCommands(program, say, choose);
  fileCommands(program, say, choose);
  recordCommands(program, say, choose);
  webhookCommands(program, say, choose);
  notificationCommands(program, say, choose);
  deadLetterCommands(program, say, choose);
  eraseCommands(program, say, choose);
  try {
    program.parse(args, { from: 'user' });
    const { lang, json, apiUrl } = program.opts<{ lang?: string; json?: true; apiUrl?: string }>();
    choiceOf('--lang', lang, LANGUAGES, say);
    if (task === undefined) return { kind: 'wrong-usage', message: say('missingCommand', { command: 'gondola' }) };
    return { kind: 'run', task, options: { json: json === true, apiUrl } };
  } catch (error) {
    if (error instanceof WrongUsage) return { kind: 'wrong-usage', message: error.message };
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', text: printed };
    return { kind: 'wrong-usage', message: usageSentence(error, printed, say) };
  }
}

function emptyProgram(say: Say, write: (text: string) => void): Command {
  const titles: Record<string, string> = {
    'Usage:': say('titleUsage'),
    'Options:': say('titleOptions'),
    'Global Options:': say('titleGlobalOptions'),
    'Commands:': say('titleCommands'),
  };
  return new Command('gondola')
    .description(say('program'))
    .usage(`${say('usageCommand')} ${say('usageOptions')}`)
    .option('--lang <pt-BR|en>', say('optLang'))
    .option('--json', say('optJson'))
    .option('--api-url <url>', say('optApiUrl'))
    .helpOption('-h, --help', say('optHelp'))
    .helpCommand(false)
    .addHelpText('after', `\n${say('helpExits')}\n\n${say('helpEnvironment')}`)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, styleTitle: (title) => titles[title] ?? title, subcommandTerm })
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

/** Omits commander's own text for options. */
function subcommandTerm(command: Command): string {
  const args = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  return [command.name(), ...args].join(' ');
}

/** Builds a sentence from commander's error: its code, and the option or argument quoted in its English message. */
function usageSentence(error: CommanderError, printed: string, say: Say): string {
  const name = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.help':
      return say('missingCommand', { command: /gondola[\w -]*\w(?= <)/.exec(printed)?.[0] ?? 'gondola' });
    case 'commander.unknownCommand':
      return say('unknownCommand', { name });
    case 'commander.unknownOption':
      return say('unknownOption', { name });
    case 'commander.missingArgument':
      return say('missingArgument', { name: `<${name}>` });
    case 'commander.optionMissingArgument':
      return say('missingValue', { option: name });
    case 'commander.missingMandatoryOptionValue':
      return say('missingOption', { option: name });
    case 'commander.excessArguments':
      return say('tooManyArguments');
    default:
      return say('wrongUsage', { detail: error.message });
  }
}
