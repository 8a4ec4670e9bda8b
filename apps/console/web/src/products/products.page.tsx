import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../ui/card.tsx';
import { OpenForm } from '../ui/open-form.tsx';
import { Page } from '../ui/page.tsx';

export function ProductsPage(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Page title={t('products.title')}>
      <OpenForm
        label={t('products.reference')}
        button={t('products.open')}
        onOpen={(reference) => void navigate({ to: '/products/$reference', params: { reference } })}
      />
      <Empty>{t('products.hint')}</Empty>
    </Page>
  );
}
