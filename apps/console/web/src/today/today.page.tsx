import { Page } from '@gondola/web-kit/ui/page';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../shell/tenant.ts';
import { AppsCard } from './apps-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { LoadsCard } from './loads-card.tsx';
import { OrdersCard } from './orders-card.tsx';
import { Verdict } from './verdict.tsx';
import { WaitingCard } from './waiting-card.tsx';
import { WorkCard } from './work-card.tsx';

/** The page of 8:10 in the morning: whether all is well, else what is not, since when, and who must act. */
export function TodayPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = useTenant();
  return (
    <Page title={t('today.title')}>
      <Verdict tenant={id} />
      <div className="columns">
        <div>
          <OrdersCard tenant={id} />
          <WaitingCard tenant={id} />
          <LoadsCard tenant={id} />
          <AppsCard />
        </div>
        <div>
          <DeliveriesCard tenant={id} />
          <WorkCard tenant={id} />
        </div>
      </div>
    </Page>
  );
}
