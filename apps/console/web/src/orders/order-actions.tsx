import { Confirm } from '@gondola/web-kit/ui/confirm';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';

interface Acted {
  tenant: string;
  number: string;
  onDone: () => void;
}

/** Reads an order again at the platform. */
export function RefreshOrder({ tenant, number, onDone }: Acted): ReactNode {
  const { t } = useTranslation();
  const options = { params: { path: { number } }, body: { tenant } };
  return (
    <Confirm
      label={t('order.refresh')}
      title={t('order.refreshTitle', { number })}
      run={() => answerOf(orders.POST('/api/orders/{number}/refresh', options))}
      onDone={onDone}
    >
      <p>{t('order.refreshWhat')}</p>
    </Confirm>
  );
}

/** Creates an order in the ERP whose payment was never announced. */
export function ReleaseOrder({ tenant, number, onDone }: Acted): ReactNode {
  const { t } = useTranslation();
  const options = { params: { path: { number } }, body: { tenant } };
  return (
    <Confirm
      label={t('order.release')}
      title={t('order.releaseTitle', { number })}
      run={() => answerOf(orders.POST('/api/orders/{number}/release', options))}
      onDone={onDone}
    >
      <p>{t('order.releaseWhat')}</p>
    </Confirm>
  );
}
