import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { fullTime } from '@gondola/web-kit/format/time';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useRead } from '../api/sandbox.ts';
import { Act } from '../ui/act.tsx';

const STEPS = [
  { name: 'minute', ms: 60_000 },
  { name: 'tenMinutes', ms: 600_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'day', ms: 86_400_000 },
] as const;

/** The sandbox's own time, and buttons that let it pass. */
export function ClockCard(): ReactNode {
  const { t, i18n } = useTranslation();
  const clock = useRead<{ readonly now: string; readonly offsetMs: number }>('/admin/clock');
  return (
    <Card title={t('clock.title')}>
      <p className="muted">{t('clock.how')}</p>
      <Answer query={clock}>
        {({ now, offsetMs }) => (
          <p role="status">
            <time dateTime={now}>{fullTime(new Date(now), i18n.language)}</time>{' '}
            {offsetMs !== 0 && <span className="tag attention">{t('clock.ahead')}</span>}
          </p>
        )}
      </Answer>
      <div className="actions">
        {STEPS.map(({ name, ms }) => (
          <Act key={name} label={t(`clock.${name}`)} run={() => send('/admin/clock', { advanceMs: ms })} />
        ))}
      </div>
    </Card>
  );
}
