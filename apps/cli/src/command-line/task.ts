import type { Uploads } from '../files/uploads.ts';
import { explainFailure, failedReport } from '../operations-api/explain-failure.ts';
import { type Listing, listPages } from '../operations-api/list-pages.ts';
import type { ApiRequest, Entry, OperationsApi } from '../operations-api/operations-api.ts';
import { tableOf } from '../output/blocks.ts';
import type { Progress } from '../output/live-progress.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** What a command may use while it runs. */
export interface Session {
  readonly api: OperationsApi;
  readonly uploads: Uploads;
  readonly say: Say;
  /** Shows how far a long command is. */
  readonly progress: (progress: Progress) => void;
}

/** What one command line asks for, with its options already checked. Nothing is called before it runs. */
export type Task = (session: Session) => Promise<Report>;

/** How a list is shown. */
interface ListLook {
  readonly columns: ReadonlyArray<readonly [header: string, field: string]>;
  /** The column that is cut where the terminal is too narrow. */
  readonly flexible: string;
  /** An entry as its row has it; the document has it as it came. */
  readonly shown?: (entry: Entry) => Entry;
}

/** Calls an app once and shows its answer; a failure is explained. */
export async function ask({ api, say }: Session, request: ApiRequest, show: (body: Entry) => Report): Promise<Report> {
  const result = await api.call(request);
  return result.kind === 'answer' ? show(result.body) : failedReport(explainFailure(result, say));
}

/** Lists the entries of one app as a table. A note says how to go on where the list is longer. */
export async function list(
  { api, say }: Session,
  listing: Listing,
  { columns, flexible, shown }: ListLook,
): Promise<Report> {
  const listed = await listPages(api, listing);
  if (listed.kind !== 'listed') return failedReport(explainFailure(listed, say));
  const { entries, next } = listed;
  const rows = shown === undefined ? entries : entries.map(shown);
  const table: Block = entries.length === 0 ? { kind: 'line', text: say('none') } : tableOf(rows, columns, flexible);
  const notes = next === null ? [] : [say('more', { next })];
  return { json: { entries, next }, blocks: [table], notes, exit: EXIT.done };
}

/** The report of a command that succeeded: a document, one sentence, exit code 0. */
export function done(json: unknown, text: string): Report {
  return { json, blocks: [{ kind: 'line', text }], notes: [], exit: EXIT.done };
}
