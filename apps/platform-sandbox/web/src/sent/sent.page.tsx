import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useAction, useRead } from '../api/sandbox.ts';
import type { Overview } from '../api/types.ts';
import { useShop } from '../shell/shop.ts';
import { Refused } from '../ui/act.tsx';
import { Filters, SelectField, TextField } from '../ui/field.tsx';
import { Toggle } from '../ui/toggle.tsx';
import { NotificationList } from './notification-list.tsx';
import { WebhookCard } from './webhook-card.tsx';

const STATES = ['pending', 'delivered', 'dead', 'lost'] as const;

/** Everything that the sandbox sends to the merchant's receiver. */
export function SentPage(): ReactNode {
  const { t } = useTranslation();
  const { shop } = useShop();
  const { order = '', operation, state = '' } = useSearch({ from: '/sent' });
  const navigate = useNavigate({ from: '/sent' });
  const [eventType, setEventType] = useState('');
  const set = (name: 'order' | 'state', value: string) =>
    void navigate({ search: (now) => ({ ...now, [name]: value === '' ? undefined : value }), replace: true });
  return (
    <Page title={t('nav.sent')}>
      {shop !== undefined && <WebhookCard key={shop.contractAccountId} shop={shop} />}
      <Sender />
      <Filters>
        <TextField
          inputMode="numeric"
          label={t('orders.number')}
          value={order}
          onChange={(text) => set('order', text.trim())}
        />
        <SelectField
          label={t('sent.event')}
          value={eventType}
          options={[['', t('orders.all')], ...(shop?.webhook?.eventTypes ?? []).map((type) => [type, type] as const)]}
          onChange={setEventType}
        />
        <SelectField
          label={t('sent.state')}
          value={state}
          options={[['', t('orders.all')], ...STATES.map((one) => [one, t(`sent.states.${one}`)] as const)]}
          onChange={(one) => set('state', one)}
        />
      </Filters>
      <Card title={t('sent.title')}>
        <NotificationList
          filters={{
            orderNumber: order,
            operationId: operation,
            state,
            eventType,
            contractAccountId: shop?.contractAccountId,
          }}
          empty={t(state === 'dead' ? 'sent.noneDead' : 'sent.empty')}
        />
      </Card>
    </Page>
  );
}

function Sender(): ReactNode {
  const { t } = useTranslation();
  const overview = useRead<Overview>('/admin/overview');
  const switching = useAction((paused: boolean) => send('/admin/sender', { paused }));
  return (
    <Card title={t('sent.sender')}>
      <Answer query={overview}>
        {({ paused, pendingDeliveries, deadLetters }) => (
          <>
            <Toggle
              label={t('sent.sends')}
              isOn={!paused}
              disabled={switching.isPending}
              onChange={(isOn) => switching.mutate(!isOn)}
            />
            <p className="muted">{t('sent.queue', { waiting: pendingDeliveries, dead: deadLetters })}</p>
          </>
        )}
      </Answer>
      <Refused error={switching.error} />
    </Card>
  );
}
