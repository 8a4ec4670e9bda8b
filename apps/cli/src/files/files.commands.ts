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
const ASKED = {
  tenant: TENANT,
  waitMs: option(
    '--wait <time>',
    {
      pt: 'espera máxima pelo resultado: 30m, 2h (padrão 10m; 0m: sem espera)',
      en: 'longest wait for the outcome: 30m, 2h (default 10m; 0m: no wait)',
    },
    durationMsOf,
  ),
};

interface Asked {
  readonly tenant: string | undefined;
  readonly waitMs: number | undefined;
}

/** File types of the platform, by name. */
const FILE_TYPES = ['SKU', 'Category', 'Badge', 'Invoice', 'Product'] as const;
const FILE_TYPE = choice(
  '--type <type>',
  { pt: 'tipo dos arquivos: {choices} (padrão SKU)', en: 'type of the files: {choices} (default SKU)' },
  FILE_TYPES,
);

/** Commands for contents, and for the files that the platform shows. */
export const FILES = group('files', {
  upload: command({
    about: {
      pt: 'Envia uma foto ou um PDF ao file-gateway e mostra o uploadId, que os comandos citam',
      en: 'Sends a picture or PDF to file-gateway and shows its uploadId, which commands name',
    },
    inputs: { file: argument('<file>') },
    task: ({ file }) => uploadFile(file),
    examples: ['danfe.pdf', 'queijo.jpg --json'],
  }),
  publish: command({
    about: {
      pt: `Publica as fotos de uma pasta, ou dos arquivos citados, como imagens dos SKUs.
Os nomes definem o SKU e a ordem: 4711.jpg é a foto principal do SKU 4711, depois vêm
4711-1.jpg ou 4711_1.jpg, 4711-2.jpg … pelo número. A própria referência pode terminar em
número: vale o SKU conhecido mais longo. Se repetido, não envia de novo o que já foi armazenado.`,
      en: `Publishes the pictures of a folder, or of the files named, as images of their SKUs.
Their names determine the SKU and the order: 4711.jpg is the main picture of SKU 4711,
then 4711-1.jpg or 4711_1.jpg, 4711-2.jpg … by the number. A reference may itself end in a
number: the longest known SKU counts. A repeat sends no stored content again.`,
    },
    inputs: {
      paths: several('<paths...>'),
      ...ASKED,
      sku: option(
        '--sku <reference>',
        {
          pt: 'todas as fotos são deste SKU, na ordem dada',
          en: 'all pictures belong to this SKU, in the given order',
        },
        filledOf,
      ),
      replace: flag('--replace', {
        pt: 'remove as outras fotos do SKU quando estas aparecerem',
        en: 'removes the other pictures of the SKU once these are shown',
      }),
    },
    task: ({ paths, waitMs = DEFAULT_WAIT_MS, ...options }) => publishPictures(paths, { ...options, waitMs }),
    examples: ['fotos/', 'fotos/ --tenant acme --wait 30m --json', 'frente.jpg verso.jpg --sku 4711-1 --replace'],
  }),
  list: command({
    about: {
      pt: 'Lista os arquivos que a plataforma mostra de uma entidade',
      en: 'Lists the files that the platform shows for an entity',
    },
    inputs: { externalReference: argument('<reference>'), ...ASKED, type: FILE_TYPE },
    task:
      ({ externalReference, type: fileType = 'SKU', ...asked }) =>
      (session) =>
        carryOut(session, { command: 'ListFiles', externalReference, fileType }, asked, listBlocks),
    examples: ['4711-1', '4711 --type Product --json'],
  }),
  remove: command({
    about: {
      pt: 'Remove arquivos da plataforma; sem --confirm, só mostra o que seria removido',
      en: 'Removes files from the platform; without --confirm only shows what would be removed',
    },
    inputs: {
      reference: optionalArgument('[reference]'),
      ...ASKED,
      type: FILE_TYPE,
      urls: several('--url <url...>', {
        pt: 'endereço de um arquivo, como files list o mostra; pode ser repetido',
        en: 'address of a file, as files list shows it; several are possible',
      }),
      storageIds: several('--storage-id <id...>', {
        pt: 'id de um arquivo armazenado; pode ser repetido',
        en: 'id of a stored file; several are possible',
      }),
      entityId: option(
        '--entity <id>',
        {
          pt: 'todos os arquivos da entidade com este id da plataforma',
          en: 'all files of the entity with this id of the platform',
        },
        filledOf,
      ),
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
