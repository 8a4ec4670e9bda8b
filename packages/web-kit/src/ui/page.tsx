import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Head of a page. Its title is the window's, too, so that a sent address and a history are readable. */
export function Page({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('appName')}`;
  }, [title, t]);
  return (
    <>
      <div className="page-head">
        <h1>{title}</h1>
        {aside}
      </div>
      {children}
    </>
  );
}
