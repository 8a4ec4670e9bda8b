import type { CommandReportOptions } from '@gondola/messaging/commands/command-report';
import type { FileCommandName } from '@gondola/shared/files/file-command-content';

const COMMANDS: Readonly<Record<FileCommandName, true>> = {
  PublishSkuImages: true,
  UndoImageUpload: true,
  ListFiles: true,
  RemoveFiles: true,
  RemoveAllFiles: true,
  ReadInvoice: true,
  CheckInvoicePdf: true,
  UploadInvoicePdf: true,
};

/** Counts final results only; `waiting` results are logged. */
export const FILE_COMMAND_REPORT: CommandReportOptions<'command' | 'outcome'> = {
  counter: {
    name: 'gondola_file_command_outcomes_total',
    help: 'Concluded file commands, by command and outcome.',
    labelNames: ['command', 'outcome'],
  },
  labelsOf: ({ final, outcome }, command) => (final ? { command, outcome } : null),
  isCommandName: (name) => Object.hasOwn(COMMANDS, name),
};
