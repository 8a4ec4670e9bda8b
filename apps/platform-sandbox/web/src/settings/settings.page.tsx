import { Card } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../api/sandbox.ts';
import type { Tenant } from '../api/types.ts';
import { useShop } from '../shell/shop.ts';
import { ClockCard } from './clock-card.tsx';
import { MerchantForm } from './merchant-form.tsx';
import { SeedForm } from './seed-form.tsx';

const PARTS = ['catalog', 'orders', 'files', 'webhooks', 'logs', 'faults', 'switches', 'clock'] as const;

export function SettingsPage(): ReactNode {
  const { t } = useTranslation();
  const { shop, shops = [] } = useShop();
  return (
    <Page title={t('nav.settings')}>
      <ClockCard />
      <Card title={t('seed.title')}>
        <p className="muted">{t('seed.how')}</p>
        <SeedForm {...(shop !== undefined && { contractAccountId: shop.contractAccountId })} />
      </Card>
      <Card title={t('merchant.title')}>
        <Merchants shops={shops} />
        <Opened label={t('merchant.another')}>
          <MerchantForm />
        </Opened>
      </Card>
      <ResetCard />
    </Page>
  );
}

function Merchants({ shops }: { shops: readonly Tenant[] }): ReactNode {
  const { t } = useTranslation();
  if (shops.length === 0) return <p className="empty">{t('merchant.none')}</p>;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={t('merchant.title')}>
      <table>
        <thead>
          <tr>
            {(['contractAccountId', 'username', 'password', 'apiKey'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`merchant.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shops.map(({ contractAccountId, username, password, apiKey }) => (
            <tr key={contractAccountId}>
              {[contractAccountId, username, password, apiKey].map((value, index) => (
                <td key={`${index} ${value}`}>
                  <code>
                    <Text value={value} longest={100} />
                  </code>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResetCard(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [parts, setParts] = useState<ReadonlySet<string>>(new Set());
  const changed = () => void client.invalidateQueries();
  return (
    <Card title={t('reset.title')}>
      <p className="muted">{t('reset.how')}</p>
      <div className="filters">
        {PARTS.map((part) => (
          <label key={part} className="check">
            <input
              type="checkbox"
              checked={parts.has(part)}
              onChange={({ target }) =>
                setParts(new Set(target.checked ? [...parts, part] : [...parts].filter((other) => other !== part)))
              }
            />
            {t(`reset.parts.${part}`)}
          </label>
        ))}
      </div>
      <div className="actions">
        <Confirm
          label={t('reset.some')}
          title={t('reset.some')}
          disabled={parts.size === 0}
          dangerous
          run={() => send('/admin/reset', { parts: [...parts] })}
          onDone={changed}
        >
          <p>{t('reset.someWill')}</p>
        </Confirm>
        <Confirm
          label={t('reset.all')}
          title={t('reset.all')}
          dangerous
          run={() => send('/admin/reset', {})}
          onDone={changed}
        >
          <p>{t('reset.allWill')}</p>
        </Confirm>
      </div>
    </Card>
  );
}
