import { ask, type Task } from '../command-line/task.ts';
import { contentBlocks, fieldsOf } from '../output/blocks.ts';
import { EXIT } from '../output/report.ts';

/** Shows a notification or a quarantine entry. Its content may be personal, so it is read only on request. */
export function showEntry(collection: 'notifications' | 'quarantine', id: string, withContent: boolean): Task {
  const path = `/api/${collection}/${encodeURIComponent(id)}`;
  const query = withContent ? { query: { body: 'true' } } : {};
  return async (session) => {
    const { say } = session;
    return await ask(session, { app: 'webhook-ingest', method: 'GET', path, ...query }, (entry) => {
      const { bodyBase64, ...rest } = entry;
      const fields = fieldsOf(rest);
      if (!withContent) return { json: rest, blocks: [fields], notes: [say('contentHidden')], exit: EXIT.done };
      if (typeof bodyBase64 !== 'string')
        return { json: entry, blocks: [fields], notes: [say('contentGone')], exit: EXIT.done };
      const blocks = [fields, ...contentBlocks(bodyBase64, say)];
      return { json: entry, blocks, notes: [say('bodyWarning')], exit: EXIT.done };
    });
  };
}
