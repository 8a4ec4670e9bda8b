import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { choiceOf, durationMsOf, filledOf, WrongUsage } from '../command-line/option-values.ts';
import type { Say } from '../texts/texts.ts';
import { publishPictures } from './publish-pictures.commands.ts';
import { FILE_TYPE_NAMES, listFiles, removeAllFiles, removeFiles } from './stored-files.commands.ts';
import { uploadFile } from './upload-file.commands.ts';

interface CommandOptions {
  tenant?: string;
  wait?: string;
}

interface PublishOptions extends CommandOptions {
  sku?: string;
  replace?: true;
}

interface ListOptions extends CommandOptions {
  type?: string;
}

interface RemoveOptions extends ListOptions {
  url?: string[];
  storageId?: string[];
  entity?: string;
  confirm?: true;
}

const DEFAULT_WAIT = '10m';

/** Commands for contents, and for the files that the platform shows. */
export function fileCommands(program: Command, say: Say, choose: Choose): void {
  const files = group(program, 'files', say('files'), say);
  const upload = files
    .command('upload <file>')
    .description(say('filesUpload'))
    .usage(`<file> ${say('usageOptions')}`)
    .action((file: string) => choose(uploadFile(file)));
  examples(upload, say, ['files upload danfe.pdf', 'files upload queijo.jpg --json']);

  const publish = asking(files.command('publish <paths...>').description(say('filesPublish')), '<paths...>', say)
    .option('--sku <reference>', say('optSku'))
    .option('--replace', say('optReplace'))
    .action((paths: string[], { sku, replace, ...given }: PublishOptions) => {
      const reference = sku === undefined ? undefined : filledOf('--sku', sku, say);
      choose(publishPictures(paths, { ...askedOf(given, say), sku: reference, replace: replace === true }));
    });
  examples(publish, say, [
    'files publish fotos/',
    'files publish fotos/ --tenant acme --wait 30m --json',
    'files publish frente.jpg verso.jpg --sku 4711-1 --replace',
  ]);

  const listing = asking(files.command('list <reference>').description(say('filesList')), '<reference>', say)
    .option('--type <type>', say('optFileType', { types: FILE_TYPE_NAMES.join(', ') }))
    .action((reference: string, { type, ...given }: ListOptions) =>
      choose(listFiles({ externalReference: reference, fileType: typeOf(type, say), ...askedOf(given, say) })),
    );
  examples(listing, say, ['files list 4711-1', 'files list 4711 --type Product --json']);

  removeCommand(files, say, choose);
}

function removeCommand(files: Command, say: Say, choose: Choose): void {
  const remove = asking(files.command('remove [reference]').description(say('filesRemove')), '[reference]', say)
    .option('--type <type>', say('optFileType', { types: FILE_TYPE_NAMES.join(', ') }))
    .option('--url <url...>', say('optFileUrl'))
    .option('--storage-id <id...>', say('optStorageId'))
    .option('--entity <id>', say('optFileEntity'))
    .option('--confirm', say('optConfirm'))
    .action((reference: string | undefined, given: RemoveOptions) => {
      const { type, url: urls = [], storageId: storageIds = [], entity, confirm, ...more } = given;
      const asked = { ...askedOf(more, say), isConfirmed: confirm === true };
      if (entity !== undefined) {
        if (reference !== undefined || type !== undefined || urls.length + storageIds.length > 0) {
          throw new WrongUsage(say('entityAlone'));
        }
        return choose(removeAllFiles({ entityId: filledOf('--entity', entity, say), ...asked }));
      }
      if (reference === undefined || urls.length + storageIds.length === 0)
        throw new WrongUsage(say('nothingToRemove'));
      return choose(
        removeFiles({ externalReference: reference, fileType: typeOf(type, say), urls, storageIds, ...asked }),
      );
    });
  examples(remove, say, [
    'files remove 4711-1 --url https://files.example.com/a.png',
    'files remove 4711-1 --url https://files.example.com/a.png --confirm',
    'files remove --entity 0b000000-0000-4000-8000-000000000001 --confirm',
  ]);
}

/** Adds the options that all commands of file-gateway share. */
function asking(command: Command, usage: string, say: Say): Command {
  return command
    .usage(`${usage} ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--wait <time>', say('optWait'));
}

function askedOf({ tenant, wait }: CommandOptions, say: Say): { tenant: string | undefined; waitMs: number } {
  return { tenant, waitMs: Number(durationMsOf('--wait', wait ?? DEFAULT_WAIT, say)) };
}

function typeOf(text: string | undefined, say: Say): string {
  return choiceOf('--type', text, FILE_TYPE_NAMES, say) ?? 'SKU';
}
