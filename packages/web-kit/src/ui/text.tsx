import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { clamp } from '../format/clamp.ts';

/** Text that somebody else wrote: clamped, and isolated so that its direction marks turn nothing around it. */
export function Text({ value, longest }: { value: string | null | undefined; longest?: number }): ReactNode {
  const { t } = useTranslation();
  if (value === null || value === undefined || value === '') return <span className="muted">{t('text.none')}</span>;
  const { shown, cutFrom } = clamp(value, longest);
  return (
    <>
      <bdi>{shown}</bdi>
      {cutFrom !== null && <small className="muted"> {t('text.cut', { count: cutFrom })}</small>}
    </>
  );
}

/** Bytes, JSON or a record, as they are, to scroll in. */
export function Raw({ value }: { value: unknown }): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <pre className="raw" tabIndex={0}>
      <Text value={text} />
    </pre>
  );
}
