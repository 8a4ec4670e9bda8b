import { Card } from '@gondola/web-kit/ui/card';
import { Copy } from '@gondola/web-kit/ui/copy';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Raw } from '@gondola/web-kit/ui/text';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tenant } from '../api/types.ts';
import { curlOf } from './curl.ts';

/** Something from the document that the platform accepts and stores. */
const BRAND = [
  { externalReference: 'CANASTRA', name: 'Canastra', title: 'Canastra', description: 'Queijos', punctuation: 1 },
];

export function HowToCall({ shop }: { shop: Tenant }): ReactNode {
  const { t } = useTranslation();
  const line = curlOf(shop, { path: '/v1/batch/Brands', body: BRAND, passwordWord: t('calls.password') });
  return (
    <Card title={t('calls.how')}>
      <p className="muted">{t('calls.howWhy')}</p>
      <Opened label={t('calls.example')}>
        <Raw value={line} />
        <Copy text={line} label={t('calls.copy')} />
      </Opened>
    </Card>
  );
}
