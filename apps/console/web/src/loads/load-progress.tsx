import { count } from '@gondola/web-kit/format/amounts';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/catalog-publisher.d.ts';
import styles from './loads.module.css';

export type Load = components['schemas']['LoadAnswer'];

/** A load in three lines: its name, how far it is, and what did not enter. */
export function LoadProgress({ load, title }: { load: Load; title?: ReactNode }): ReactNode {
  const { t, i18n } = useTranslation();
  const whole = Math.max(load.total, load.expected ?? 0);
  const done = whole - load.open;
  const rejected = rejectedOf(load);
  const numbers = { done: count(done, i18n.language), total: count(whole, i18n.language) };
  return (
    <div className={styles['load']}>
      <p>
        {title ?? (
          <strong>
            <Text value={load.loadId} longest={120} />
          </strong>
        )}{' '}
        <span className="muted">{t(`load.source.${load.source}`)}</span>
      </p>
      <progress max={Math.max(whole, 1)} value={done} aria-label={t('load.progress', numbers)} />
      <p>
        {t('load.progress', numbers)}
        {' · '}
        {load.finishedAt === null ? (
          <>
            {t('load.rate', { perMinute: count(load.perMinute, i18n.language) })}
            {load.estimatedEndAt !== null && (
              <>
                {' · '}
                {t('load.endsAt')} <Moment at={load.estimatedEndAt} />
              </>
            )}
          </>
        ) : (
          <>
            {t('load.finished')} <Moment at={load.finishedAt} />
          </>
        )}
        {' · '}
        {rejected > 0 ? (
          <span className="tag attention">{t('load.rejected', { count: rejected })}</span>
        ) : (
          <span className="muted">{t('load.noneRejected')}</span>
        )}
      </p>
    </div>
  );
}

/** Records of a load that did not enter the shop. */
function rejectedOf({ counts }: Load): number {
  const { invalid = 0, refused = 0, unconfirmed = 0 } = counts;
  return invalid + refused + unconfirmed;
}
