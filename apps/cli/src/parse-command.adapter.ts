import { Command as Parser, CommanderError, Option } from 'commander';
import { AUDIT } from './audit/audit.commands.ts';
import { CATALOG } from './catalog/catalog.commands.ts';
import type { Command, Group, Task } from './command-line/command.ts';
import { CONFORMANCE } from './conformance/conformance.commands.ts';
import { CONSOLE_SESSIONS } from './console/sessions.commands.ts';
import { oneOf, WrongUsage } from './command-line/option-values.ts';
import { DEAD_LETTERS } from './dead-letters/dead-letters.commands.ts';
import { ERASE } from './erasures/erase.commands.ts';
import { FILES } from './files/files.commands.ts';
import { PAUSES } from './pauses/pauses.commands.ts';
import { JOBS } from './jobs/jobs.commands.ts';
import { MIRROR } from './mirror/mirror.commands.ts';
import { NOTIFICATIONS } from './notifications/notifications.commands.ts';
import { COMMANDS, ORDERS } from './orders/orders.commands.ts';
import { PARKED } from './parked/parked.commands.ts';
import { REPLAY } from './replays/replay.commands.ts';
import { RECORDS } from './records/records.commands.ts';
import { SHADOW } from './shadow/shadow.commands.ts';
import { STUCK } from './stuck/stuck.commands.ts';
import { type Language, LANGUAGES } from './texts/language.ts';
import { type Say, sayIn } from './texts/texts.ts';
import { WEBHOOK } from './webhook/webhook.commands.ts';

/** All commands, in the order of the help. */
const GROUPS: readonly Group[] = [
  ORDERS,
  COMMANDS,
  AUDIT,
  CATALOG,
  FILES,
  RECORDS,
  WEBHOOK,
  MIRROR,
  NOTIFICATIONS,
  DEAD_LETTERS,
  PARKED,
  JOBS,
  REPLAY,
  PAUSES,
  STUCK,
  SHADOW,
  ERASE,
  CONFORMANCE,
  CONSOLE_SESSIONS,
];

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
  const globals = () => program.opts<{ lang?: string; json?: true; apiUrl?: string }>();
  for (const { name, about, commands } of GROUPS) {
    const group = groupIn(program, name, say).description(say(about));
    for (const [each, text, command] of commands) {
      const { parser, given } = parserOf([name, each], command, group, say);
      parser.description(say(text)).action(() => {
        task = command.task(given(), { say, apiUrl: globals().apiUrl });
      });
    }
  }
  try {
    program.parse(args, { from: 'user' });
    const { lang, json, apiUrl } = globals();
    if (lang !== undefined) oneOf(LANGUAGES)(lang, '--lang', say);
    if (task === undefined) return { kind: 'wrong-usage', message: say('missingCommand', { command: 'gondola' }) };
    return { kind: 'run', task, options: { json: json === true, apiUrl } };
  } catch (error) {
    if (error instanceof WrongUsage) return { kind: 'wrong-usage', message: error.message };
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return { kind: 'help', text: printed };
    return { kind: 'wrong-usage', message: usageSentence(error, printed, say) };
  }
}

/** Adds a group, and the one that it is in: `console sessions` is in `console`. */
function groupIn(program: Parser, name: string, say: Say): Parser {
  return name.split(' ').reduce((parent, word) => {
    const known = parent.commands.find((each) => each.name() === word);
    if (known !== undefined) return known;
    const usage = `${say('usageCommand')} ${say('usageOptions')}`;
    return parent.command(word).description(say('console')).usage(usage).helpCommand(false);
  }, program);
}

/** Adds a command to its group; `given` reads its inputs once it is parsed. */
function parserOf(
  [of, name]: readonly [group: string, name: string],
  { inputs, examples, isDefault = false }: Command,
  group: Parser,
  say: Say,
) {
  const all = Object.entries(inputs);
  const args = all.filter(([, { flags }]) => !flags.startsWith('-')).map(([, { flags }]) => flags);
  const parser = group
    .command([name, ...args].join(' '), { isDefault })
    .usage([...args, say('usageOptions')].join(' '));
  for (const [, { flags, about: text, isRequired }] of all) {
    if (!args.includes(flags)) parser.addOption(new Option(flags, text(say)).makeOptionMandatory(isRequired));
  }
  const lines = examples.map((example) => `  gondola ${of} ${name} ${example}`.trimEnd());
  parser.addHelpText('after', `\n${say('titleExamples')}\n${lines.join('\n')}`);
  const given = () =>
    Object.fromEntries(all.map(([key, { flags, valueOf }]) => [key, valueOf(parsedValue(parser, flags, args), say)]));
  return { parser, given };
}

function parsedValue(parser: Parser, flags: string, args: readonly string[]): unknown {
  return args.includes(flags)
    ? parser.processedArgs[args.indexOf(flags)]
    : parser.getOptionValue(new Option(flags).attributeName());
}

function emptyProgram(say: Say, write: (text: string) => void): Parser {
  const titles: Record<string, string> = {
    'Usage:': say('titleUsage'),
    'Options:': say('titleOptions'),
    'Global Options:': say('titleGlobalOptions'),
    'Commands:': say('titleCommands'),
  };
  return new Parser('gondola')
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
function subcommandTerm(command: Parser): string {
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
