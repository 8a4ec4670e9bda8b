import { CommandReport } from '@gondola/messaging/commands/command-report';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { FileCommandName } from '@gondola/shared/files/file-command-content';
import type { Registry } from 'prom-client';

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

/** Only ends count: a command that waits is logged. */
export function fileCommandReport(registry: Registry, logger: Logger): CommandReport {
  return new CommandReport({
    registry,
    logger,
    counter: {
      name: 'gondola_file_command_outcomes_total',
      help: 'File commands that ended, by command and outcome',
      labelNames: ['command', 'outcome'],
    },
    labelsOf: ({ final, outcome }, command) => (final ? { command, outcome } : null),
    isCommandName: (name) => Object.hasOwn(COMMANDS, name),
  });
}
