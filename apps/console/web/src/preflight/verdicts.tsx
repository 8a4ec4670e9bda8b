import type { FileRecord } from '@gondola/shared/records/csv';
import { Card } from '@gondola/web-kit/ui/card';
import { Raw } from '@gondola/web-kit/ui/text';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldReason } from '../products/product-parts.ts';
import { Reasons } from '../products/reasons.tsx';
import styles from './try.module.css';

/** What the app says of one record. */
export interface Judged extends FileRecord {
  readonly outcome: 'valid' | 'unchanged' | 'repeated' | 'invalid' | 'unreadable';
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
  readonly waitsFor: ReadonlyArray<{ readonly kind: string; readonly externalReference: string }>;
}

/** Lines shown at most; the summary counts all. */
const MOST_SHOWN = 500;

export function Verdicts({ judged }: { judged: readonly Judged[] }): ReactNode {
  const { t } = useTranslation();
  const [onlyTrouble, setOnlyTrouble] = useState(judged.length > 1);
  const of = (outcome: Judged['outcome']) => judged.filter((each) => each.outcome === outcome).length;
  const shown = onlyTrouble ? judged.filter(isTrouble) : judged;
  const counts = {
    valid: of('valid'),
    unchanged: of('unchanged'),
    repeated: of('repeated'),
    invalid: of('invalid'),
    unreadable: of('unreadable'),
  };
  return (
    <Card
      title={t('record.outcome')}
      aside={
        <label className="check">
          <input type="checkbox" checked={onlyTrouble} onChange={({ target }) => setOnlyTrouble(target.checked)} />
          {t('try.onlyTrouble')}
        </label>
      }
    >
      <p role="status">{t('try.summary', { checked: judged.length, ...counts })}</p>
      {shown.length === 0 && <p className="note">{t('try.fine')}</p>}
      <ul className={styles['lines']}>
        {shown.slice(0, MOST_SHOWN).map((each) => (
          <Line key={each.line} judged={each} />
        ))}
      </ul>
    </Card>
  );
}

function Line({ judged: { line, text, outcome, errors, warnings, waitsFor } }: { judged: Judged }): ReactNode {
  const { t } = useTranslation();
  const isGood = outcome !== 'invalid' && outcome !== 'unreadable';
  const what = waitsFor.map(({ kind, externalReference }) => `${kind} ${externalReference}`).join(', ');
  return (
    <li>
      <p>
        <strong>{t('try.line', { line })}</strong>{' '}
        <span className={isGood ? 'tag good' : 'tag attention'}>{t(`try.verdict.${outcome}`)}</span>
      </p>
      <Reasons reasons={errors} />
      {warnings.length > 0 && (
        <>
          <h3>{t('try.warning')}</h3>
          <Reasons reasons={warnings} />
        </>
      )}
      {waitsFor.length > 0 && (
        <p>
          <bdi>{t('try.waits', { what })}</bdi>
        </p>
      )}
      <details>
        <summary>{t('text.raw')}</summary>
        <Raw value={text} />
      </details>
    </li>
  );
}

function isTrouble({ outcome, warnings, waitsFor }: Judged): boolean {
  return outcome === 'invalid' || outcome === 'unreadable' || warnings.length > 0 || waitsFor.length > 0;
}
