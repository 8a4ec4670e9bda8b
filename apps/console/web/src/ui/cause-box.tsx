import { count } from '@gondola/web-kit/format/amounts';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Party, useWords } from '../texts/words.ts';
import { Anchor } from './anchor.tsx';
import styles from './cause-box.module.css';

interface Box {
  /** Its place in the address (`#…`), so that it can be sent to a colleague. */
  place: string;
  title: string;
  facts: ReactNode;
  who: Party;
  todo: string;
  /** The buttons, only for who may act. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Rows that wait for one reason: how many, since when, who must act, what to do, and the buttons that do it. */
export function CauseBox({ place, title, facts, who, todo, actions, children }: Box): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const id = useId();
  return (
    <Anchor place={place}>
      <section className={styles['cause']} aria-labelledby={id}>
        <h3 id={id}>
          <Text value={title} longest={500} />
        </h3>
        <p>{facts}</p>
        <p>
          <strong>{t('today.acts', { who: word('party', who) })}.</strong> {todo}
        </p>
        {actions !== undefined && <div className="actions">{actions}</div>}
        {children}
      </section>
    </Anchor>
  );
}

interface Counted {
  readonly count: number;
  readonly isMore: boolean;
  readonly oldestAt: string;
  readonly newestAt: string;
}

/** Number of rows, and since when. */
export function Waiting({ of }: { of: Counted }): ReactNode {
  const { t, i18n } = useTranslation();
  const numbers = { count: of.count, number: count(of.count, i18n.language) };
  return (
    <>
      <strong>{of.isMore ? t('needs.more', numbers) : t('needs.count', numbers)}</strong> · {t('needs.oldest')}{' '}
      <Moment at={of.oldestAt} />
      {of.newestAt !== of.oldestAt && (
        <>
          {' '}
          · {t('needs.newest')} <Moment at={of.newestAt} />
        </>
      )}
    </>
  );
}
