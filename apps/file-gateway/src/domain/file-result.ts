import { parseRecord } from '@gondola/shared/json/json-digits';
import { type AwaitedReference, buildResult, type Result, type ResultParts } from '@gondola/shared/results/result';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Conclusion } from './conclusion.ts';
import { entityOf, parentCommandIdOf } from './read-file-command.ts';

export const FILE_COMMANDS = 'erp.files.commands.v1' satisfies TopicName;
export const FILE_RESULTS = 'erp.files.results.v1' satisfies TopicName;

/** What a result repeats of its command. */
export interface AboutCommand {
  readonly tenant: string;
  readonly commandId: string;
  readonly command: string;
  /** As received. */
  readonly value: Uint8Array | null;
  readonly receivedAt: string;
  /** RFC 3339: when the result was made. */
  readonly time: string;
}

/** The one final result of a command. */
export function endResult(
  about: AboutCommand & { readonly attempts: number; readonly operationIds: readonly string[] },
  conclusion: Conclusion,
): Result {
  const { attempts, operationIds } = about;
  return buildResult({ ...partsOf(about), ...conclusion, attempts, operationIds });
}

/** Told once, when a command begins to wait for something that it refers to. */
export function waitingResult(about: AboutCommand, awaited: readonly AwaitedReference[]): Result {
  return buildResult({ ...partsOf(about), outcome: 'waiting', for: awaited });
}

function partsOf({ tenant, commandId, command, value, receivedAt, time }: AboutCommand): Omit<ResultParts, 'outcome'> {
  const record = parseRecord(value) ?? {};
  const entity = entityOf(record);
  const parentCommandId = parentCommandIdOf(record);
  return { tenant, inputTopic: FILE_COMMANDS, commandId, command, entity, parentCommandId, receivedAt, time };
}
