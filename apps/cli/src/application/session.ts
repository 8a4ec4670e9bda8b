import type { ApiRequest, Entry, OperationsApi } from '../domain/api.ts';
import { explainFailure, failedReport } from '../domain/explain-failure.ts';
import type { Report } from '../domain/report.ts';
import type { Say } from '../domain/texts/texts.ts';

/** What one run of a command has at hand. */
export interface Session {
  readonly api: OperationsApi;
  readonly say: Say;
}

/** Calls an app once and shows what it answered; what it did not do is explained. */
export async function ask({ api, say }: Session, request: ApiRequest, show: (body: Entry) => Report): Promise<Report> {
  const result = await api.call(request);
  return result.kind === 'answer' ? show(result.body) : failedReport(explainFailure(result, say));
}
