import { csvOf } from '@gondola/shared/records/csv-text';
import { count } from '@gondola/web-kit/format/amounts';
import { Problem } from '@gondola/web-kit/ui/problem';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from './download.ts';

interface Exported<Entry> {
  /** Name of the file. */
  name: string;
  head: readonly string[];
  rowOf: (entry: Entry) => ReadonlyArray<string | number | null>;
  /** The page behind `after`; the first one for null. */
  read: (after: string | null, signal: AbortSignal) => Promise<{ entries: readonly Entry[]; next: string | null }>;
}

/** A button that reads a list to its end, page by page, and hands it to the browser as CSV. It can be stopped. */
export function ExportCsv<Entry>({ name, head, rowOf, read }: Exported<Entry>): ReactNode {
  const { t, i18n } = useTranslation();
  const [done, setDone] = useState(0);
  const stopping = useRef(new AbortController());
  const exporting = useMutation({
    mutationFn: async () => {
      const { signal } = (stopping.current = new AbortController());
      const rows = [head];
      let after: string | null = null;
      do {
        const page = await read(after, signal);
        rows.push(...page.entries.map(rowOf).map((row) => row.map((cell) => String(cell ?? ''))));
        setDone(rows.length - 1);
        after = page.next;
      } while (after !== null);
      download(name, csvOf(rows));
    },
    onMutate: () => setDone(0),
  });
  const { error, isPending } = exporting;
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  return (
    <>
      {error !== null && !isStopped && <Problem error={error} onRetry={() => exporting.mutate()} />}
      <div className="actions">
        <span role="status" className="muted">
          {isPending && t('list.exporting', { count: done, number: count(done, i18n.language) })}
        </span>
        {isPending ? (
          <button type="button" onClick={() => stopping.current.abort()}>
            {t('list.stop')}
          </button>
        ) : (
          <button type="button" onClick={() => exporting.mutate()}>
            {t('list.download')}
          </button>
        )}
      </div>
    </>
  );
}
