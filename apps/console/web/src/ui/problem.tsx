import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/api-problem.ts';
import type { AppName } from '../api/overview.ts';

/** The sentence about a call that failed. */
export function useSentence(): (error: unknown, app?: AppName) => string {
  const { t } = useTranslation();
  return (error, app) => {
    if (!(error instanceof ApiProblem)) return t('problem.other', { code: 'PAGE', message: String(error) });
    const { code, message } = error;
    switch (code) {
      case 'CONSOLE_AWAY':
      case 'DATABASE_AWAY':
      case 'FORBIDDEN':
        return t(`problem.${code}`);
      case 'APP_AWAY':
        return t('problem.APP_AWAY', { app: app === undefined ? '' : t(`app.${app}`) });
      case 'NOT_FOUND':
        return message === '' || message === 'Not found' ? t('problem.NOT_FOUND') : message;
      default:
        return t('problem.other', { code, message });
    }
  };
}

/** Stands where the answer of a call would stand. */
export function Problem({
  error,
  app,
  onRetry,
}: {
  error: unknown;
  app?: AppName | undefined;
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
