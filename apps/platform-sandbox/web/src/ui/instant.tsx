import { fullTime, shortTime } from '@gondola/web-kit/format/time';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** A moment to the second, as the order of calls and retries needs it; whole in the tooltip. */
export function Instant({ at }: { at: string }): ReactNode {
  const { i18n } = useTranslation();
  const date = new Date(at);
  const today = new Date();
  const isToday = date.toDateString() === today.toDateString();
  return (
    <time dateTime={at} title={fullTime(date, i18n.language)}>
      {isToday ? date.toLocaleTimeString(i18n.language) : shortTime(date, i18n.language, today)}
    </time>
  );
}
