import { Page } from '@gondola/web-kit/ui/page';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../shell/tenant.ts';
import { HeldRecords } from './held-records.tsx';
import { Jobs, useJobs } from './jobs.tsx';
import { Letters } from './letters.tsx';
import { Notices } from './notices.tsx';
import { OrdersInNeed } from './orders-in-need.tsx';

/** All that waits for a person, grouped by its cause, with what to do about it. */
export function AttentionPage(): ReactNode {
  const { t } = useTranslation();
  const tenant = useTenant();
  const jobs = useJobs(tenant);
  const isRunning = jobs.running.length > 0;
  return (
    <Page title={t('needs.title')}>
      {!tenant.act && tenant.id !== '' && <p className="muted">{t('needs.seeOnly')}</p>}
      {isRunning && <Jobs jobs={jobs} tenant={tenant} />}
      <OrdersInNeed tenant={tenant} />
      <HeldRecords tenant={tenant} />
      <Letters tenant={tenant} />
      <Notices tenant={tenant} />
      {!isRunning && <Jobs jobs={jobs} tenant={tenant} />}
    </Page>
  );
}
