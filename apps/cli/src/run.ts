import { type Environment, loadConfig } from './config.ts';
import {
  type AppName,
  type AddressSources,
  addressVariable,
  chooseAddress,
  chooseToken,
} from './operations-api/addresses.ts';
import { EXIT, type ExitCode, type Report } from './output/report.ts';
import { failedReport } from './operations-api/explain-failure.ts';
import { chooseLanguage } from './texts/language.ts';
import { progressLine } from './output/progress.ts';
import { print, type Printed } from './output/print.ts';
import { type Say, sayIn } from './texts/texts.ts';
import { WrongUsage } from './command-line/option-values.ts';
import { parseCommand } from './command-line/parse-command.adapter.ts';
import { HttpOperationsApi } from './operations-api/http-operations-api.adapter.ts';
import { findRunFile } from './operations-api/run-file.adapter.ts';

/** What the process gives to a command. */
export interface Invocation {
  /** After `gondola`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly folder: string;
  /** Columns of standard output; null: not a terminal. */
  readonly width: number | null;
  /** Shows how far a long command is; left out: nobody looks. */
  readonly progress?: (line: string) => void;
}

export interface Ended extends Printed {
  readonly exit: ExitCode;
}

/** Runs one command line from its arguments to what it prints. Throws only where the program itself is wrong. */
export async function run({ args, env, folder, width, progress }: Invocation): Promise<Ended> {
  const language = chooseLanguage(args, env);
  const say = sayIn(language);
  const parsed = parseCommand(args, language);
  if (parsed.kind === 'help') return { stdout: parsed.text, stderr: '', exit: EXIT.done };
  const json = parsed.kind === 'run' ? parsed.options.json : args.includes('--json');
  const report =
    parsed.kind === 'run' ? await perform(parsed, { env, folder, progress }, say) : wrongUsage(parsed.message);
  return { ...print(report, { json, width }), exit: report.exit };
}

async function perform(
  { task, options }: Extract<ReturnType<typeof parseCommand>, { kind: 'run' }>,
  { env, folder, progress }: Pick<Invocation, 'env' | 'folder'> & { progress: Invocation['progress'] | undefined },
  say: Say,
): Promise<Report> {
  try {
    const { token, ...limits } = await loadConfig(env, say);
    const run = await findRunFile(folder);
    const sources = { option: options.apiUrl, env, run };
    const called = new Set<AppName>();
    const api = new HttpOperationsApi({
      ...limits,
      addressOf: (app) => {
        called.add(app);
        return chooseAddress(app, sources);
      },
      tokenFor: (address) => chooseToken(address, { token, run }),
    });
    const report = await task({ api, say, progress: (done, total) => progress?.(progressLine(done, total)) });
    return { ...report, notes: [...guessesOf(called, sources, say), ...report.notes] };
  } catch (error) {
    if (error instanceof WrongUsage) return wrongUsage(error.message);
    throw error;
  }
}

/** A sentence for each called app whose address is the contract's default. */
function guessesOf(called: ReadonlySet<AppName>, sources: AddressSources, say: Say): string[] {
  return Array.from(called).flatMap((app) => {
    const address = chooseAddress(app, sources);
    if (address.source.kind !== 'default' || address.kind !== 'address') return [];
    return [say('guessed', { app, url: address.url, source: say('sourceDefault'), variable: addressVariable(app) })];
  });
}

function wrongUsage(message: string): Report {
  return failedReport({ code: 'WRONG_USAGE', message, exit: EXIT.usage });
}
