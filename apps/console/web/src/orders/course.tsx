import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWords } from '../texts/words.ts';
import type { Station } from './course.ts';
import styles from './order.module.css';

/** The course of an order, drawn as stations on a line. */
export function Course({ stations }: { stations: readonly Station[] }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const meanings = { passed: t('order.reached'), current: t('order.current'), ahead: t('order.ahead') };
  return (
    <ol className={styles['course']}>
      {stations.map(({ code, state, at }) => (
        <li key={code} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
          <span className={styles['dot']} aria-hidden="true" />
          <span>{word('status', code)}</span>
          <small className="muted">{at === null ? meanings[state] : <Moment at={at} />}</small>
        </li>
      ))}
    </ol>
  );
}
