import { CommandReport } from '@gondola/messaging/commands/command-report';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Registry } from 'prom-client';

/** Results of records; the name of a record's command is its `op`. */
export function catalogCommandReport(registry: Registry, logger: Logger): CommandReport {
  return new CommandReport({
    registry,
    logger,
    counter: {
      name: 'gondola_catalog_results_total',
      help: 'Results of catalog records, by kind of entity, outcome and evidence',
      labelNames: ['kind', 'outcome', 'evidence'],
    },
    labelsOf: ({ entity, outcome, evidence }) => ({ kind: entity?.kind ?? 'none', outcome, evidence }),
    isCommandName: (name) => name === 'upsert' || name === 'delete',
  });
}
