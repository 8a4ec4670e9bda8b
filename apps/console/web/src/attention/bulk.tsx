import { count } from '@gondola/web-kit/format/amounts';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Problem } from '@gondola/web-kit/ui/problem';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppName } from '../api/overview.ts';
import { useWords } from '../texts/words.ts';
import styles from './attention.module.css';
import { NoteField } from './note-field.tsx';
import { type BulkAction, previewJob, type Selection, startJob } from './waiting.ts';

/** Rows that wait for the same thing; notices have no topic. */
interface Cause {
  readonly reason: string;
  readonly topic?: string;
}

interface Many {
  app: AppName;
  action: BulkAction;
  tenant: string;
  /** Beginning of the filter. */
  cause: Cause;
  /** Choices of the filter. */
  causes: readonly Cause[];
}

interface Filter {
  readonly reason: string;
  readonly topic: string;
  /** As the browser's field for a time has it; empty for none. */
  readonly from: string;
  readonly to: string;
}

const PACES = [10, 50, 200, 500] as const;

/** A button for many rows at once: by which filter, how many that are now, how fast, then a job. */
export function Bulk({ app, action, tenant, cause, causes }: Many): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [filter, setFilter] = useState<Filter>({ topic: '', from: '', to: '', ...cause });
  const [perSecond, setPerSecond] = useState<number>(50);
  const [note, setNote] = useState('');
  const [isStarted, setIsStarted] = useState(false);
  const selection = selectionOf(tenant, filter);
  const isDiscard = action === 'discard';
  const preview = useQuery({
    queryKey: ['preview', app, action, selection],
    queryFn: () => previewJob(app, action, selection),
    enabled: false,
    gcTime: 0,
  });
  const expected = preview.data?.isMore === false ? { expected: preview.data.count } : {};
  const run = () =>
    startJob(app, action, selection, { perSecond, ...expected, ...(isDiscard && { note: note.trim() }) });
  const onDone = () => {
    setIsStarted(true);
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  };
  return (
    <>
      <Confirm
        dangerous={isDiscard}
        label={t(`needs.${action}`)}
        title={t(`needs.confirm.${action}`)}
        run={run}
        onDone={onDone}
        mayRun={(preview.data?.count ?? 0) > 0 && (!isDiscard || note.trim() !== '')}
      >
        <p>{t(`needs.what.${action}`, { app: t(`app.${app}`) })}</p>
        <Filters filter={filter} causes={causes} onChange={setFilter} />
        <label>
          {t('needs.pace')}
          <select value={perSecond} onChange={({ target }) => setPerSecond(Number(target.value))}>
            {PACES.map((pace) => (
              <option key={pace} value={pace}>
                {t('needs.perSecond', { count: pace })}
              </option>
            ))}
          </select>
        </label>
        {isDiscard && <NoteField note={note} onChange={setNote} />}
        <Preview app={app} action={action} selection={selection} />
      </Confirm>
      {isStarted && (
        <p role="status" className={styles['started']}>
          {t('needs.started')} <a href="#jobs">{t('needs.jobs')}</a>
        </p>
      )}
    </>
  );
}

interface Filtered {
  filter: Filter;
  causes: readonly Cause[];
  onChange: (filter: Filter) => void;
}

function Filters({ filter, causes, onChange }: Filtered): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const reasons = [...new Set(causes.map(({ reason }) => reason))];
  const topics = [...new Set(causes.flatMap(({ topic }) => topic ?? []))];
  return (
    <div className="filters">
      <label>
        {t('needs.cause')}
        <select value={filter.reason} onChange={({ target }) => onChange({ ...filter, reason: target.value })}>
          <option value="">{t('needs.everyCause')}</option>
          {reasons.map((reason) => (
            <option key={reason} value={reason}>
              {word('cause', reason)}
            </option>
          ))}
        </select>
      </label>
      {topics.length > 0 && (
        <label>
          {t('needs.topic')}
          <select value={filter.topic} onChange={({ target }) => onChange({ ...filter, topic: target.value })}>
            <option value="">{t('needs.everyTopic')}</option>
            {topics.map((topic) => (
              <option key={topic}>{topic}</option>
            ))}
          </select>
        </label>
      )}
      {(['from', 'to'] as const).map((end) => (
        <label key={end}>
          {t(`needs.${end}`)}
          <input
            type="datetime-local"
            value={filter[end]}
            onChange={({ target }) => onChange({ ...filter, [end]: target.value })}
          />
        </label>
      ))}
    </div>
  );
}

interface Previewed {
  app: AppName;
  action: BulkAction;
  selection: Selection;
}

/** Number of rows that match at this moment; the list behind the question may be some seconds old. */
function Preview({ app, action, selection }: Previewed): ReactNode {
  const { t, i18n } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['preview', app, action, selection],
    queryFn: () => previewJob(app, action, selection),
    gcTime: 0,
  });
  if (error !== null) return <Problem error={error} app={app} />;
  const sentence = () => {
    if (data === undefined) return t('needs.counting');
    const numbers = { count: data.count, number: count(data.count, i18n.language) };
    return data.isMore ? t('needs.matchMore', numbers) : t('needs.match', numbers);
  };
  return (
    <p role="status">
      <strong>{sentence()}</strong>
    </p>
  );
}

function selectionOf(tenant: string, { reason, topic, from, to }: Filter): Selection {
  return {
    tenant,
    ...(reason !== '' && { reason }),
    ...(topic !== '' && { topic }),
    ...(from !== '' && { from: new Date(from).toISOString() }),
    ...(to !== '' && { to: new Date(to).toISOString() }),
  };
}
