import type { Uploads } from '../operations-api/uploads.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import { type Listing, listPages } from '../operations-api/list-pages.ts';
import type { ApiRequest, Entry, OperationsApi } from '../operations-api/operations-api.ts';
import { tableOf } from '../output/blocks.ts';
import type { Progress } from '../output/live-progress.ts';
import { type Block, EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

/** Services that a running command uses. */
export interface Session {
  readonly api: OperationsApi;
  readonly uploads: Uploads;
  readonly say: Say;
  /** Shows the progress of a long command. */
  readonly progress: (progress: Progress) => void;
}

/** Work of one command line, with its options already checked. It makes no call before it runs. */
export type Task = (session: Session) => Promise<Report>;

/** Presentation of a list. */
interface ListLook {
  readonly columns: ReadonlyArray<readonly [header: string, field: string]>;
  /** Column that is cut if the terminal is too narrow. */
  readonly flexible: string;
  /** Converts an entry for its row; the JSON document shows it unchanged. */
  readonly shown?: (entry: Entry) => Entry;
}

/** Calls an app once and shows its answer or explains its failure. */
export async function ask({ api, say }: Session, request: ApiRequest, show: (body: Entry) => Report): Promise<Report> {
  const result = await api.call(request);
  return result.kind === 'answer' ? show(result.body) : failedReport(explainFailure(result, say));
}

/** Lists the entries of one app as a table. A note tells the user how to continue if the list is longer. */
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

/** Report of a command that succeeded: a document, one sentence, exit code 0. */
export function done(json: unknown, text: string): Report {
  return { json, blocks: [{ kind: 'line', text }], notes: [], exit: EXIT.done };
}
