import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/api-problem.ts';
import { useNamed } from '../texts/named.ts';

/**
 * The sentence about a call that failed: the page's own for its code (`problem.<code>`), else the server's. `app` names
 * the app that was asked, as in the texts `app.<app>`.
 */
export function useSentence(): (error: unknown, app?: string) => string {
  const { t } = useTranslation();
  const named = useNamed();
  return (error, app = '') => {
    if (!(error instanceof ApiProblem)) return t('problem.other', { code: 'PAGE', message: String(error) });
    const { code, message } = error;
    if (code === 'NOT_FOUND' && message !== '' && message !== 'Not found') return message;
    const own = named(`problem.${code}`, '', { app: named(`app.${app}`, app) });
    return own === '' ? t('problem.other', { code, message }) : own;
  };
}

/** Stands where the answer of a call would stand. */
export function Problem({
  error,
  app,
  onRetry,
}: {
  error: unknown;
  app?: string | undefined;
  onRetry?: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const sentence = useSentence();
  if (error instanceof ApiProblem && error.status === 403) return <p className="muted">{t('problem.FORBIDDEN')}</p>;
  return (
    <div className="problem" role="alert">
      <p>
        <bdi>{sentence(error, app)}</bdi>
      </p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {t('problem.retry')}
        </button>
      )}
    </div>
  );
}
