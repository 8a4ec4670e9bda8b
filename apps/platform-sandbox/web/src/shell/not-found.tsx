import { Page } from '@gondola/web-kit/ui/page';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export function NotFound(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={t('shell.notFound')}>
      <Link to="/">{t('nav.shelf')}</Link>
    </Page>
  );
}
