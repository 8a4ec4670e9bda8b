import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ago, fullTime, shortTime } from '../format/time.ts';

const TICK_MS = 10_000;

/** The present, renewed while the page is looked at. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** A moment in the zone of the browser; whole, with its zone, in the tooltip. */
export function Moment({ at, relative = false }: { at: string | Date; relative?: boolean }): ReactNode {
  const { i18n } = useTranslation();
  const now = useNow();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <bdi>{String(at)}</bdi>;
  const format = relative ? ago : shortTime;
  return (
    <time dateTime={date.toISOString()} title={fullTime(date, i18n.language)}>
      {format(date, i18n.language, now)}
    </time>
  );
}
