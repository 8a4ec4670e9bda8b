import { writeFile } from 'node:fs/promises';
import type { Session, Task } from '../command-line/command.ts';
import { WrongUsage } from '../command-line/option-values.ts';
import { done } from '../output/report.ts';
import { type Check, type CheckResult, failed } from './check.ts';
import { checksReport, junitXml } from './checks-report.ts';

/** Checks, statements that none asks, and the end of what the checks use. */
export interface Prepared {
  readonly checks: readonly Check[];
  readonly unchecked?: readonly string[];
  readonly close?: () => Promise<unknown>;
}

interface Given {
  readonly confirm: boolean;
  readonly junit: string | undefined;
}

/**
 * Runs checks one after the other, and reports them. Without `--confirm` it only says the plan, and nothing begins if
 * the file for JUnit cannot be written.
 */
export function runChecks(
  what: string,
  { confirm, junit }: Given,
  plan: string,
  prepare: (session: Session) => Promise<Prepared>,
): Task {
  return async (session) => {
    const { say, progress } = session;
    if (!confirm) return done({ confirmed: false }, plan);
    // Appends nothing: the file has to be writable.
    if (junit !== undefined)
      await writeFile(junit, '', { flag: 'a' }).catch(({ code = '-' }: NodeJS.ErrnoException) => {
        throw new WrongUsage(say('notWritable', { path: junit, code }));
      });
    const { checks, unchecked = [], close } = await prepare(session);
    const results: CheckResult[] = [];
    for (const { section, statement, run } of checks) {
      progress({ done: results.length, total: checks.length });
      const startedAt = performance.now();
      const verdict = await Promise.resolve()
        .then(run)
        .catch((error: Error) => failed('–', error.message));
      results.push({ section, statement, verdict, seconds: (performance.now() - startedAt) / 1_000 });
    }
    await close?.();
    if (junit !== undefined) await writeFile(junit, junitXml(`gondola conformance ${what}`, results));
    return checksReport(results, unchecked, say);
  };
}
