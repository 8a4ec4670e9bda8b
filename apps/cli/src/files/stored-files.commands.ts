import type { Session, Task } from '../command-line/task.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import { type Entry, isEntry } from '../operations-api/operations-api.ts';
import { fieldsOf, tableOf } from '../output/blocks.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { giveCommand, waitForCommand } from './ask-command.adapter.ts';
import { type CommandEnd, commandOutcome } from './command-report.ts';

/** File types of the platform, by name. */
export const FILE_TYPE_NAMES = ['SKU', 'Category', 'Badge', 'Invoice', 'Product'] as const;

interface Asked {
  readonly tenant: string | undefined;
  readonly waitMs: number;
}

export interface OwnFiles extends Asked {
  readonly externalReference: string;
  readonly fileType: string;
}

/** Lists the files that the platform shows for an entity. */
export function listFiles({ externalReference, fileType, ...asked }: OwnFiles): Task {
  return (session) => carryOut(session, { command: 'ListFiles', externalReference, fileType }, asked, listBlocks);
}

export interface RemovedFiles extends OwnFiles {
  readonly urls: readonly string[];
  readonly storageIds: readonly string[];
  readonly isConfirmed: boolean;
}

/** Removes files of an entity; without confirmation it only lists them. */
export function removeFiles({ isConfirmed, tenant, waitMs, ...files }: RemovedFiles): Task {
  const { externalReference, fileType, urls, storageIds } = files;
  const lists = { ...(urls.length > 0 && { urls }), ...(storageIds.length > 0 && { storageIds }) };
  const command = { command: 'RemoveFiles', externalReference, fileType, ...lists };
  return confirmed(command, isConfirmed, { tenant, waitMs }, ({ say }) =>
    say('removeDryRun', { count: urls.length + storageIds.length, type: fileType, reference: externalReference }),
  );
}

export interface RemovedEntity extends Asked {
  readonly entityId: string;
  readonly isConfirmed: boolean;
}

/** Removes all files of an entity; without confirmation it only announces that. */
export function removeAllFiles({ entityId, isConfirmed, ...asked }: RemovedEntity): Task {
  const command = { command: 'RemoveAllFiles', entityId, confirm: true };
  return confirmed(command, isConfirmed, asked, ({ say }) => say('removeAllDryRun', { entity: entityId }));
}

function confirmed(command: Entry, isConfirmed: boolean, asked: Asked, dryRun: (session: Session) => string): Task {
  return async (session): Promise<Report> => {
    if (isConfirmed) return carryOut(session, command, asked, ({ result }) => [fieldsOf(shortened(result))]);
    const blocks: Block[] = [{ kind: 'line', text: dryRun(session) }];
    return { json: { confirmed: false, ...command }, blocks, notes: [], exit: EXIT.done };
  };
}

async function carryOut(
  session: Session,
  command: Entry,
  { tenant, waitMs }: Asked,
  show: (ended: Extract<CommandEnd, { kind: 'ended' }>, say: Say) => Block[],
): Promise<Report> {
  const { say } = session;
  const given = await giveCommand(session, tenant, command);
  if (given.kind !== 'given') return failedReport(explainFailure(given, say));
  const end = await waitForCommand(session, tenant, given, Date.now() + waitMs);
  const { reason, exit } = commandOutcome(end, say);
  if (end.kind !== 'ended') {
    const { code = '-', message = '' } = reason ?? {};
    return failedReport({ code, message, exit });
  }
  const notes = reason === null ? [] : [`${reason.code}: ${reason.message}`];
  return { json: end.result, blocks: show(end, say), notes, exit };
}

/** Fields of a result for a person. */
function shortened({ commandId, outcome, evidence }: Entry): Entry {
  return { commandId, outcome, evidence };
}

function listBlocks({ result }: { readonly result: Entry }, say: Say): Block[] {
  const { data } = result;
  const urls = isEntry(data) && Array.isArray(data['urls']) ? data['urls'] : [];
  if (urls.length === 0) return [{ kind: 'line', text: say('none') }];
  return [
    tableOf(
      urls.map((url: unknown) => ({ url })),
      [[say('colUrl'), 'url']],
    ),
  ];
}
