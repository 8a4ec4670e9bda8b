import { Card } from '@gondola/web-kit/ui/card';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MerchantForm } from './merchant-form.tsx';
import { SeedForm } from './seed-form.tsx';

/** For a sandbox in which there is no merchant yet. */
export function FirstSteps(): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Card title={t('first.demo')}>
        <p>{t('first.demoWhy')}</p>
        <SeedForm />
      </Card>
      <Card title={t('first.own')}>
        <p>{t('first.ownWhy')}</p>
        <MerchantForm />
      </Card>
    </>
  );
}
