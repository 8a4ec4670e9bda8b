import { tableOf } from '../domain/cells.ts';
import { EXIT } from '../domain/exit-code.ts';
import { explainFailure, failedReport } from '../domain/explain-failure.ts';
import type { Block, Report } from '../domain/report.ts';
import { type Listing, listPages } from './list-pages.ts';
import type { Session } from './session.ts';

/** How a list is shown. */
export interface ListLook {
  readonly columns: ReadonlyArray<readonly [header: string, field: string]>;
  /** The field that gives way where the terminal is narrow. */
  readonly flexible: string;
}

/** A list of one app: a table, and where to go on. */
export async function listEntries(
  { api, say }: Session,
  listing: Listing,
  { columns, flexible }: ListLook,
): Promise<Report> {
  const listed = await listPages(api, listing);
  if (listed.kind !== 'listed') return failedReport(explainFailure(listed, say));
  const { entries, next } = listed;
  const table: Block = entries.length === 0 ? { kind: 'line', text: say('none') } : tableOf(entries, columns, flexible);
  return {
    json: { entries, next },
    blocks: [table],
    notes: next === null ? [] : [say('more', { next })],
    exit: EXIT.done,
  };
}
