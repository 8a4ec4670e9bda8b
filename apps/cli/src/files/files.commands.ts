import { command, group, type Session, type Task } from '../command-line/command.ts';
import { argument, choice, CONFIRM, flag, option, optionalArgument, several, TENANT } from '../command-line/inputs.ts';
import { durationMsOf, filledOf, WrongUsage } from '../command-line/option-values.ts';
import { type Entry, isEntry } from '../operations-api/operations-api.ts';
import { fieldsOf, tableOrNone } from '../output/blocks.ts';
import { failedReport, failureReport } from '../output/explain-failure.ts';
import { type Block, done, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { type CommandEnd, commandOutcome, giveCommand, waitForCommand } from './ask-command.adapter.ts';
import { publishPictures } from './publish-pictures.commands.ts';
import { uploadFile } from './upload-file.commands.ts';

const DEFAULT_WAIT_MS = 600_000;
/** Options of every command that file-gateway carries out. */
const ASKED = { tenant: TENANT, waitMs: option('--wait <time>', 'optWait', durationMsOf) };

interface Asked {
  readonly tenant: string | undefined;
  readonly waitMs: number | undefined;
}

/** File types of the platform, by name. */
const FILE_TYPES = ['SKU', 'Category', 'Badge', 'Invoice', 'Product'] as const;
const FILE_TYPE = choice('--type <type>', 'optFileType', FILE_TYPES);

/** Commands for contents, and for the files that the platform shows. */
export const FILES = group('files', {
  upload: command({
    inputs: { file: argument('<file>') },
    task: ({ file }) => uploadFile(file),
    examples: ['danfe.pdf', 'queijo.jpg --json'],
  }),
  publish: command({
    inputs: {
      paths: several('<paths...>'),
      ...ASKED,
      sku: option('--sku <reference>', 'optSku', filledOf),
      replace: flag('--replace', 'optReplace'),
    },
    task: ({ paths, waitMs = DEFAULT_WAIT_MS, ...options }) => publishPictures(paths, { ...options, waitMs }),
    examples: ['fotos/', 'fotos/ --tenant acme --wait 30m --json', 'frente.jpg verso.jpg --sku 4711-1 --replace'],
  }),
  list: command({
    inputs: { externalReference: argument('<reference>'), ...ASKED, type: FILE_TYPE },
    task:
      ({ externalReference, type: fileType = 'SKU', ...asked }) =>
      (session) =>
        carryOut(session, { command: 'ListFiles', externalReference, fileType }, asked, listBlocks),
    examples: ['4711-1', '4711 --type Product --json'],
  }),
  remove: command({
    inputs: {
      reference: optionalArgument('[reference]'),
      ...ASKED,
      type: FILE_TYPE,
      urls: several('--url <url...>', 'optFileUrl'),
      storageIds: several('--storage-id <id...>', 'optStorageId'),
      entityId: option('--entity <id>', 'optFileEntity', filledOf),
      confirm: CONFIRM,
    },
    task: ({ reference, type, urls, storageIds, entityId, ...asked }, { say }) => {
      const count = urls.length + storageIds.length;
      if (entityId !== undefined) {
        if (reference !== undefined || type !== undefined || count > 0) throw new WrongUsage(say('entityAlone'));
        const dryRun = say('removeAllDryRun', { entity: entityId });
        return remove({ command: 'RemoveAllFiles', entityId, confirm: true }, asked, dryRun);
      }
      if (reference === undefined || count === 0) throw new WrongUsage(say('nothingToRemove'));
      const fileType = type ?? 'SKU';
      const lists = { ...(urls.length > 0 && { urls }), ...(storageIds.length > 0 && { storageIds }) };
      const files = { command: 'RemoveFiles', externalReference: reference, fileType, ...lists };
      return remove(files, asked, say('removeDryRun', { count, type: fileType, reference }));
    },
    examples: [
      '4711-1 --url https://files.example.com/a.png',
      '4711-1 --url https://files.example.com/a.png --confirm',
      '--entity 0b000000-0000-4000-8000-000000000001 --confirm',
    ],
  }),
});

/** Without confirmation, only says what would be removed. */
function remove(files: Entry, { confirm, ...asked }: Asked & { readonly confirm: boolean }, dryRun: string): Task {
  return async (session) =>
    confirm
      ? await carryOut(session, files, asked, ({ result: { commandId, outcome, evidence } }) => [
          fieldsOf({ commandId, outcome, evidence }),
        ])
      : done({ confirmed: false, ...files }, dryRun);
}

async function carryOut(
  session: Session,
  given: Entry,
  { tenant, waitMs = DEFAULT_WAIT_MS }: Asked,
  blocksOf: (ended: Extract<CommandEnd, { kind: 'ended' }>, say: Say) => Block[],
): Promise<Report> {
  const { say } = session;
  const accepted = await giveCommand(session, tenant, given);
  if (accepted.kind !== 'given') return failureReport(accepted, say);
  const end = await waitForCommand(session, tenant, accepted, Date.now() + waitMs);
  const { reason, exit } = commandOutcome(end, say);
  if (end.kind !== 'ended') {
    const { code = '-', message = '' } = reason ?? {};
    return failedReport({ code, message, exit });
  }
  const notes = reason === null ? [] : [`${reason.code}: ${reason.message}`];
  return { json: end.result, blocks: blocksOf(end, say), notes, exit };
}

function listBlocks({ result: { data } }: { readonly result: Entry }, say: Say): Block[] {
  const urls = isEntry(data) && Array.isArray(data['urls']) ? data['urls'] : [];
  const rows = urls.map((url: unknown) => ({ url }));
  return [tableOrNone(say, { url: 'colUrl' }, rows)];
}
