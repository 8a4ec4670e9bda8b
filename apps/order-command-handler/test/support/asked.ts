import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { judgeCommand } from '../../src/commands/read-command.ts';
import type { JudgedCommand, TenantUnits } from '../../src/commands/order-command.ts';

export function judgedInEnglish(record: JsonRecord, units: TenantUnits = {}): JudgedCommand {
  return judgeCommand(record, { language: 'en', units });
}

/** Content of a valid command, as its definition reads it. */
export function asked(record: JsonRecord): unknown {
  const judged = judgedInEnglish(record);
  if (judged.kind === 'invalid') throw new Error(JSON.stringify(judged));
  return judged.asked;
}

/** Field and code of each thing that is wrong with a command. */
export function problemsOf(record: JsonRecord, units: TenantUnits = {}): [string, string][] {
  const judged = judgedInEnglish(record, units);
  return judged.kind === 'valid' ? [] : judged.errors.map(({ field, code }) => [field, code]);
}
