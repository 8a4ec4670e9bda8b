import { Moment } from '@gondola/web-kit/ui/times';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppName } from '../api/overview.ts';
import { useWords } from '../texts/words.ts';
import { type Matter, mattersOf } from './matters.ts';
import { useKnown } from './today-queries.ts';
import styles from './today.module.css';

/** The one line, and below it what needs somebody. */
export function Verdict({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const { known, failed, isPending } = useKnown(tenant);
  const matters = mattersOf(known);
  if (matters.length === 0 && isPending) {
    return (
      <p className={styles['verdict']} role="status">
        {t('frame.loading')}
      </p>
    );
  }
  const apps = failed.map((app) => t(`app.${app}`)).join(', ');
  // An app that is named as a matter of its own is away, and hides what else there may be.
  const isNamed = (app: AppName) => matters.some((matter) => matter.kind === 'app' && matter.app === app);
  const unread = failed.filter((app) => !isNamed(app)).map((app) => t(`app.${app}`));
  const isWell = matters.length === 0 && failed.length === 0;
  const sentence = matters.length > 0 ? t('today.matters', { count: matters.length }) : t('today.unknown', { apps });
  return (
    <section className={styles['verdict']} data-well={isWell} aria-live="polite">
      <h2>{isWell ? t('today.allWell') : sentence}</h2>
      {matters.length > 0 && (
        <ul className={styles['matters']}>
          {matters.map((matter) => (
            <MatterLine key={keyOf(matter)} matter={matter} />
          ))}
        </ul>
      )}
      {matters.length > 0 && unread.length > 0 && <p>{t('today.unread', { apps: unread.join(', ') })}</p>}
    </section>
  );
}

function MatterLine({ matter }: { matter: Matter }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  return (
    <li>
      <div>
        <p className={styles['what']}>
          <What matter={matter} />
        </p>
        <p className="muted">
          {t('today.acts', { who: word('party', matter.who) })}
          {matter.since !== null && (
            <>
              {' · '}
              {t('today.since')} <Moment at={matter.since} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function What({ matter }: { matter: Matter }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  switch (matter.kind) {
    case 'app': {
      const app = t(`app.${matter.app}`);
      const checks = matter.failing.map((name) => word('check', name)).join(', ');
      return matter.isAway ? t('today.appAway', { app }) : t('today.appNotReady', { app, checks });
    }
    case 'orders':
      return (
        <Link to="/attention" hash={`orders-${matter.code}-${matter.who}`}>
          {t('today.ordersAttention', { count: matter.orders, what: word('attention', matter.code) })}
        </Link>
      );
    case 'quarantine':
      return (
        <Link to="/attention" hash="quarantine">
          {t(matter.isMore ? 'today.quarantineMany' : 'today.quarantine', { count: matter.entries })}
        </Link>
      );
    case 'pause':
      return t(`today.pauseCause.${matter.cause}`);
    case 'parked':
      return (
        <Link to="/attention" hash={`parked-${matter.app}`}>
          {t('today.parked', { count: matter.records, app: t(`app.${matter.app}`) })}
        </Link>
      );
    case 'rejections':
      return (
        <Link to="/loads" hash="rejections">
          {t(matter.isMore ? 'today.rejectionsMany' : 'today.rejections', { count: matter.records })}
        </Link>
      );
    default: {
      const values = { count: matter.letters, app: t(`app.${matter.app}`) };
      return (
        <Link to="/attention" hash={`letters-${matter.app}`}>
          {t(matter.isMore ? 'today.lettersMany' : 'today.letters', values)}
        </Link>
      );
    }
  }
}

function keyOf(matter: Matter): string {
  const { kind, app, code, cause, who }: Partial<Record<'kind' | 'app' | 'code' | 'cause' | 'who', string>> = matter;
  return [kind, app, code, cause, who].join(' ');
}
