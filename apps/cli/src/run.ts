import { perform } from './application/perform.ts';
import { type Environment, loadConfig } from './config.ts';
import { type AppName, type AddressSources, addressVariable, chooseAddress, chooseToken } from './domain/addresses.ts';
import { EXIT, type ExitCode } from './domain/exit-code.ts';
import { failedReport } from './domain/explain-failure.ts';
import { chooseLanguage } from './domain/language.ts';
import { print, type Printed } from './domain/print.ts';
import type { Report } from './domain/report.ts';
import { type Say, sayIn } from './domain/texts/texts.ts';
import { WrongUsage } from './domain/wrong-usage.ts';
import { parseCommand } from './inbound/parse-command.ts';
import { HttpOperationsApi } from './outbound/http-operations-api.ts';
import { findRunFile } from './outbound/run-file.ts';

/** Where the command runs. */
export interface World {
  /** After `gondola`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly folder: string;
  /** Columns of standard output; null: not a terminal. */
  readonly width: number | null;
}

export interface Ended extends Printed {
  readonly exit: ExitCode;
}

/** Runs one command line from its arguments to what it prints. Throws only where the program itself is wrong. */
export async function run({ args, env, folder, width }: World): Promise<Ended> {
  const language = chooseLanguage(args, env);
  const say = sayIn(language);
  const parsed = parseCommand(args, language);
  if (parsed.kind === 'help') return { stdout: parsed.text, stderr: '', exit: EXIT.done };
  const json = parsed.kind === 'run' ? parsed.options.json : args.includes('--json');
  const report = parsed.kind === 'run' ? await performed(parsed, { env, folder }, say) : wrongUsage(parsed.message);
  return { ...print(report, { json, width }), exit: report.exit };
}

async function performed(
  { action, options }: Extract<ReturnType<typeof parseCommand>, { kind: 'run' }>,
  { env, folder }: Pick<World, 'env' | 'folder'>,
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
    const report = await perform({ api, say }, action);
    return { ...report, notes: [...guessesOf(called, sources, say), ...report.notes] };
  } catch (error) {
    if (error instanceof WrongUsage) return wrongUsage(error.message);
    throw error;
  }
}

/** A sentence for each app whose address nobody named. */
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
