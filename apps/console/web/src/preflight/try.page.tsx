import type { CellProblem, FileRecord } from '@gondola/shared/records/csv';
import { textOfFile } from '@gondola/shared/records/text-of-file';
import { Page } from '@gondola/web-kit/ui/page';
import { Problem } from '@gondola/web-kit/ui/problem';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { type Form, recordsOf } from './read-records.ts';
import { type Judged, Verdicts } from './verdicts.tsx';
import styles from './try.module.css';

const KINDS = ['product', 'brand', 'category', 'price', 'warehouse', 'stock'] as const;
type Kind = (typeof KINDS)[number];

const FORMS = ['json', 'csv'] as const satisfies readonly Form[];

const MOST = 10_000;
/** Cells that a refusal names. */
const MOST_CELLS = 5;
/** Records of one call; the app takes no more. */
const PART = 500;

/** What would become of records, line by line, before anything is sent. */
export function TryPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  const [kind, setKind] = useState<Kind>('product');
  const [form, setForm] = useState<Form>('json');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const checking = useMutation({ mutationFn: (records: readonly FileRecord[]) => check(tenant, kind, records) });
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const isTable = /\.csv$/i.test(file.name);
    const reading = textOfFile(new Uint8Array(await file.arrayBuffer()), { isTable });
    if (reading.kind === 'wrong-byte') return setProblem(t('try.notText', { line: reading.line }));
    setText(reading.text);
    setForm(isTable ? 'csv' : 'json');
    return setProblem(null);
  };
  const cellsText = (problems: readonly CellProblem[]) => {
    const shown = problems.slice(0, MOST_CELLS).map(({ code, line, column, cell, before }) => {
      return t(`try.cells.${code}`, { line, column, cell, before: before?.cell, lineBefore: before?.line });
    });
    const more = problems.length - shown.length;
    return [...shown, ...(more > 0 ? [t('try.cells.more', { count: more })] : [])].join(' ');
  };
  const run = () => {
    const reading = recordsOf(text, form);
    if (reading.kind === 'no-table') return setProblem(t('try.noTable'));
    if (reading.kind === 'wrong-cells') return setProblem(cellsText(reading.problems));
    const { records } = reading;
    if (records.length === 0) return setProblem(t('try.empty'));
    if (records.length > MOST) return setProblem(t('try.tooMany', { count: records.length, most: MOST }));
    setProblem(null);
    return checking.mutate(records);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    <Page title={t('try.title')}>
      <p className="muted">{t('try.what')}</p>
      <div className="card">
        <div className="filters">
          <label>
            {t('try.kind')}
            <select value={kind} onChange={({ target }) => setKind(target.value as Kind)}>
              {KINDS.map((each) => (
                <option key={each} value={each}>
                  {t(`loads.recordKind.${each}`)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {t('try.form')}
            <select value={form} onChange={({ target }) => setForm(target.value as Form)}>
              {FORMS.map((each) => (
                <option key={each} value={each}>
                  {t(`try.forms.${each}`)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div className={styles['drop']} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
          <label>
            {t('try.records')}
            <textarea rows={8} spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
          </label>
          <label className={styles['file']}>
            {t('try.drop')}
            <span className="button">{t('try.choose')}</span>
            <input
              type="file"
              accept=".jsonl,.json,.ndjson,.txt,.csv"
              onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
                void take(target.files?.[0]);
                target.value = '';
              }}
            />
          </label>
        </div>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="button" className="primary" disabled={checking.isPending} onClick={run}>
          {checking.isPending ? t('try.checking') : t('try.check')}
        </button>
      </div>
      {checking.error !== null && <Problem error={checking.error} app="catalog-publisher" />}
      {checking.data !== undefined && <Verdicts judged={checking.data} />}
    </Page>
  );
}

async function check(tenant: string, kind: Kind, records: readonly FileRecord[]): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (let from = 0; from < records.length; from += PART) {
    const part = records.slice(from, from + PART);
    const body = { kind, records: part.map((record) => record.text) };
    const answer = await answerOf(catalog.POST('/api/preflight', { params: { query: { tenant } }, body }));
    judged.push(...answer.records.map((each, index) => ({ ...(each as unknown as Judged), ...part[index]! })));
  }
  return judged;
}
