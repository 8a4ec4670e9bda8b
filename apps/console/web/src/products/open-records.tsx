import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/catalog-publisher.d.ts';

/** Records about a product that have not ended, and what each waits for. */
export function OpenRecords({ records }: { records: ReadonlyArray<components['schemas']['OpenRecord']> }): ReactNode {
  const { t } = useTranslation();
  return (
    <Card title={t('product.open')}>
      {records.length === 0 && <Empty>{t('product.openNone')}</Empty>}
      <ul>
        {records.map(({ commandId, receivedAt, blocked, waitingFor }) => {
          const what = waitingFor.map(({ kind, externalReference }) => `${kind} ${externalReference}`).join(', ');
          const sentence = () => {
            if (what !== '') return t('product.waitsFor', { what });
            return blocked === null ? t('product.inQueue') : t('product.blocked', { cause: blocked });
          };
          return (
            <li key={commandId}>
              <Moment at={receivedAt} /> · <Text value={sentence()} longest={1_000} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
