import { Card } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useRead } from '../api/sandbox.ts';
import type { Order, Status } from '../api/types.ts';
import { OutcomeOf } from '../calls/outcome.tsx';
import { Act } from '../ui/act.tsx';
import { SelectField } from '../ui/field.tsx';
import { useValues } from '../ui/values.ts';
import styles from './order.module.css';

const PLACED = 100;

interface Accepted {
  readonly operationId: string;
}

/** Actions on an order: the shopper's, the ERP's and the platform's own. */
export function OrderActions({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation();
  const { status: word } = useValues();
  const client = useQueryClient();
  const { data: statuses = [] } = useRead<readonly Status[]>('/admin/statuses');
  const [operationId, setOperationId] = useState<string | null>(null);
  const path = `/admin/orders/${order.number}`;
  const accepted = async (answer: Promise<Accepted>) => setOperationId((await answer).operationId);
  const changed = () => void client.invalidateQueries();
  return (
    <Card title={t('act.title')}>
      <div className={styles['groups']}>
        <section aria-label={t('act.shopper')}>
          <h3>{t('act.shopper')}</h3>
          <div className="actions">
            {order.status === PLACED && (
              <>
                <Act primary label={t('act.approve')} run={() => send(`${path}/payment`, { payment: 'approved' })} />
                <Act label={t('act.refuse')} run={() => send(`${path}/payment`, { payment: 'refused' })} />
              </>
            )}
            <Confirm
              label={t('act.cancel')}
              title={t('act.cancelOf', { number: order.number })}
              run={() => accepted(send(`${path}/cancel`, { by: 'shopper' }))}
              onDone={changed}
            >
              <p>{t(order.canBeCancelled ? 'act.cancelWill' : 'act.cancelWillNot')}</p>
            </Confirm>
          </div>
        </section>
        <section aria-label={t('act.merchant')}>
          <h3>{t('act.merchant')}</h3>
          <p className="muted">{t('act.merchantHow')}</p>
          <div className="actions">
            {statuses
              .filter(({ isSettable }) => isSettable)
              .map(({ code, name }) => (
                <Act
                  key={code}
                  label={word(code)}
                  run={() => accepted(send(`${path}/merchant-status`, { status: name }))}
                />
              ))}
          </div>
        </section>
        <section aria-label={t('act.platform')}>
          <h3>{t('act.platform')}</h3>
          <p className="muted">{t('act.platformHow')}</p>
          <PlatformStatus path={path} statuses={statuses} />
          <div className="actions">
            <Confirm
              label={t('act.platformCancel')}
              title={t('act.cancelOf', { number: order.number })}
              run={() => accepted(send(`${path}/cancel`, { by: 'platform' }))}
              onDone={changed}
            >
              <p>{t('act.platformCancelWill')}</p>
            </Confirm>
          </div>
        </section>
      </div>
      {operationId !== null && <OutcomeOf operationId={operationId} />}
    </Card>
  );
}

function PlatformStatus({ path, statuses }: { path: string; statuses: readonly Status[] }): ReactNode {
  const { t } = useTranslation();
  const { status: word } = useValues();
  const [chosen, setChosen] = useState('');
  return (
    <div className="filters">
      <SelectField
        label={t('act.setStatus')}
        value={chosen}
        options={[['', t('act.choose')], ...statuses.map(({ code }) => [code, word(code)] as const)]}
        onChange={setChosen}
      />
      {chosen !== '' && <Act label={t('act.set')} run={() => send(`${path}/status`, { status: Number(chosen) })} />}
    </div>
  );
}
