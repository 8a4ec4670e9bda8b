import type { Session, Task } from '../command-line/command.ts';
import { type Explanation, explainFailure, failedReport, wrongInput } from '../output/explain-failure.ts';
import type { ApiFailure } from '../operations-api/operations-api.ts';
import { fieldsOf } from '../output/blocks.ts';
import { EXIT, shown } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { type FileReading, type LocalFile, readFileSize } from './local-files.adapter.ts';
import type { Upload } from '../operations-api/uploads.ts';

/** Size from which progress is shown; smaller files are sent faster than a person reads it. */
const LARGE_BYTES = 5_000_000;

/** Sends one file and shows its `uploadId`. */
export function uploadFile(path: string): Task {
  return async (session) => {
    const file = await readFileSize(path);
    if (file.kind === 'unreadable') return failedReport(explainUnreadable(file, session.say));
    const sent = await sendFile(session, file.value);
    if (sent.kind !== 'upload') return failedReport(explainUploadFailure(sent, session.say));
    const { kind: _kind, ...upload } = sent;
    return shown(upload, [fieldsOf(upload)]);
  };
}

export async function sendFile({ uploads, progress }: Session, file: LocalFile): Promise<Upload | ApiFailure> {
  const { path: label, size: total } = file;
  return uploads.send(file, (done) => {
    if (total >= LARGE_BYTES) progress({ label, done, total });
  });
}

/** Explains a failed upload like other failures, except for the token, which is the tenant's own. */
export function explainUploadFailure(failure: ApiFailure, say: Say): Explanation {
  if (failure.kind !== 'unauthorized') return explainFailure(failure, say);
  const message = say(failure.hasToken ? 'uploadTokenWrong' : 'uploadTokenMissing', { url: failure.address.url });
  return { code: 'UNAUTHORIZED', message, exit: EXIT.unauthorized };
}

export function explainUnreadable(
  { path, code }: Extract<FileReading<unknown>, { kind: 'unreadable' }>,
  say: Say,
): Explanation {
  return wrongInput('FILE_UNREADABLE', say('fileUnreadable', { file: path, code }));
}
