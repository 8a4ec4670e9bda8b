import { call } from '@gondola/web-kit/api/call';
import { Card, Facts } from '@gondola/web-kit/ui/card';
import { Copy } from '@gondola/web-kit/ui/copy';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Raw, Text } from '@gondola/web-kit/ui/text';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/sandbox.ts';
import type { Tenant, Webhook } from '../api/types.ts';
import { curlOf } from '../calls/curl.ts';
import { Refused } from '../ui/act.tsx';
import { TextField } from '../ui/field.tsx';

/** The events of the platform's document. */
const EVENT_TYPES = [
  ...['Created', 'Updated', 'Cancelled', 'CancelRequested', 'StatusUpdated', 'InvoiceCreated', 'InvoiceUploaded'].map(
    (what) => `Order_${what}`,
  ),
  ...['CreationFailed', 'UpdateFailed', 'StatusUpdateFailed', 'CancelFailed'].map((what) => `Order_${what}`),
  'Operation_Failed',
  ...['Created', 'Updated', 'CreationFailed', 'UpdateFailed', 'PartiallyFailed'].map(
    (what) => `ProductWithSKUs_${what}`,
  ),
  'Brand_CreationFailed',
];
const EXAMPLE_URL = 'http://127.0.0.1:3000/webhook';

/** The receiver that the merchant registered, or how to register one. */
export function WebhookCard({ shop }: { shop: Tenant }): ReactNode {
  const { t } = useTranslation();
  return (
    <Card title={t('webhook.title')}>
      {shop.webhook === null ? <Register shop={shop} /> : <Registered webhook={shop.webhook} />}
    </Card>
  );
}

function Registered({ webhook: { url, authType, hasToken, eventTypes } }: { webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Facts
        of={[
          [t('webhook.url'), <Text key="url" value={url} longest={500} />],
          [t('webhook.token'), hasToken ? t('webhook.hasToken', { type: authType ?? '' }) : t('webhook.noToken')],
        ]}
      />
      <Opened label={t('webhook.events', { count: eventTypes.length })}>
        <Raw value={eventTypes.join('\n')} />
      </Opened>
    </>
  );
}

function Register({ shop }: { shop: Tenant }): ReactNode {
  const { t } = useTranslation();
  const [url, setUrl] = useState(EXAMPLE_URL);
  const { contractAccountId, username } = shop;
  const [password, setPassword] = useState(shop.password ?? 'erp');
  const body = { originType: 'Api_call', originData: 'erp', url, eventTypes: EVENT_TYPES };
  // As the ERP would: the platform has no other way.
  const registering = useAction(() =>
    call('/v1/Webhooks', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-contractAccountId': contractAccountId,
        authorization: `Basic ${btoa(`${username}:${password}`)}`,
      },
    }),
  );
  const register = (event: FormEvent) => {
    event.preventDefault();
    registering.mutate();
  };
  const line = curlOf(shop, {
    path: '/v1/Webhooks',
    body,
    passwordWord: t('calls.password'),
  });
  return (
    <>
      <p>{t('webhook.none')}</p>
      <form className="filters" onSubmit={register}>
        <TextField type="url" required size={36} label={t('webhook.url')} value={url} onChange={setUrl} />
        {shop.password === undefined && (
          <TextField required label={t('webhook.password', { username })} value={password} onChange={setPassword} />
        )}
        <button type="submit" className="primary" disabled={registering.isPending}>
          {t('webhook.register')}
        </button>
      </form>
      <Refused error={registering.error} />
      <Opened label={t('webhook.byCurl')}>
        <Raw value={line} />
        <Copy text={line} label={t('calls.copy')} />
      </Opened>
    </>
  );
}
