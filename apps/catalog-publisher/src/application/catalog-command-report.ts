import type { CommandReportOptions } from '@gondola/messaging/commands/command-report';

/** Results of records; the name of a record's command is its `op`. */
export const CATALOG_COMMAND_REPORT: CommandReportOptions<'kind' | 'outcome' | 'evidence'> = {
  counter: {
    name: 'gondola_catalog_results_total',
    help: 'Results of catalog records, by kind of entity, outcome and evidence',
    labelNames: ['kind', 'outcome', 'evidence'],
  },
  labelsOf: ({ entity, outcome, evidence }) => ({ kind: entity?.kind ?? 'none', outcome, evidence }),
  isCommandName: (name) => name === 'upsert' || name === 'delete',
};
