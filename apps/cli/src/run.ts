import type { Environment } from './command-line/secrets.adapter.ts';
import { loadConfig } from './config.ts';
import {
  type AppName,
  type AddressSources,
  addressVariable,
  chooseAddress,
  chooseToken,
  chooseUploadsAddress,
} from './operations-api/addresses.ts';
import { EXIT, type ExitCode, type Report } from './output/report.ts';
import { HttpUploads } from './files/http-uploads.adapter.ts';
import { failedReport, wrongInput } from './output/explain-failure.ts';
import { chooseLanguage } from './texts/language.ts';
import { LiveProgress } from './output/live-progress.ts';
import { print, type Printed } from './output/print.ts';
import { type Say, sayIn } from './texts/texts.ts';
import { WrongUsage } from './command-line/option-values.ts';
import { parseCommand } from './parse-command.adapter.ts';
import { HttpOperationsApi } from './operations-api/http-operations-api.adapter.ts';
import { findRunFile } from './operations-api/run-file.adapter.ts';

/** Input that the process passes to a command. */
export interface Invocation {
  /** Arguments after `gondola`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly folder: string;
  /** Columns of standard output; null: not a terminal. */
  readonly width: number | null;
  /** Standard error while the command runs; absent: nothing is shown before the command ends. */
  readonly live?: { readonly write: (text: string) => void; readonly width: number | null };
}

export interface Ended extends Printed {
  readonly exit: ExitCode;
}

/** Runs one command line from its arguments to its output. Throws only if the program has a bug. */
export async function run({ args, env, folder, width, live }: Invocation): Promise<Ended> {
  const language = chooseLanguage(args, env);
  const say = sayIn(language);
  const parsed = parseCommand(args, language);
  if (parsed.kind === 'help') return { stdout: parsed.text, stderr: '', exit: EXIT.done };
  const json = parsed.kind === 'run' ? parsed.options.json : args.includes('--json');
  const report = parsed.kind === 'run' ? await perform(parsed, { env, folder, live }, say) : wrongUsage(parsed.message);
  return { ...print(report, { json, width }), exit: report.exit };
}

async function perform(
  { task, options }: Extract<ReturnType<typeof parseCommand>, { kind: 'run' }>,
  { env, folder, live }: Pick<Invocation, 'env' | 'folder'> & { readonly live: Invocation['live'] | undefined },
  say: Say,
): Promise<Report> {
  try {
    const { token, uploadToken, ...limits } = await loadConfig(env, say);
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
    const uploads = new HttpUploads({
      addressOf: () => chooseUploadsAddress(sources),
      token: uploadToken,
      silentMs: limits.changeMs,
    });
    const shown = new LiveProgress(live?.write ?? (() => {}), live?.width ?? null);
    const report = await task({ api, uploads, env, progress: (progress) => shown.update(progress), say });
    shown.end();
    return { ...report, notes: [...guessesOf(called, sources, say), ...report.notes] };
  } catch (error) {
    if (error instanceof WrongUsage) return wrongUsage(error.message);
    throw error;
  }
}

/** A note for each called app whose address is the contract's default. */
function guessesOf(called: ReadonlySet<AppName>, sources: AddressSources, say: Say): string[] {
  return Array.from(called).flatMap((app) => {
    const address = chooseAddress(app, sources);
    if (address.source.kind !== 'default' || address.kind !== 'address') return [];
    return [say('guessed', { app, url: address.url, source: say('sourceDefault'), variable: addressVariable(app) })];
  });
}

function wrongUsage(message: string): Report {
  return failedReport(wrongInput('WRONG_USAGE', message));
}
