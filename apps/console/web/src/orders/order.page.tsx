import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty, Facts } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import { type Tenant, useTenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { OpenCommands } from './commands.tsx';
import { courseOf } from './course.ts';
import { Course } from './course.tsx';
import { Invoice } from './invoice.tsx';
import { Items } from './items.tsx';
import { RefreshOrder, ReleaseOrder } from './order-actions.tsx';
import type { Order } from './order-parts.ts';
import { People } from './people.tsx';
import { Timeline } from './timeline.tsx';

const CANCELLED = [750, 800, 1100, 1200];

export function OrderPage(): ReactNode {
  const { t } = useTranslation();
  const { number } = useParams({ from: '/orders/$number' });
  const tenant = useTenant();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const queryKey = ['order', tenant.id, number];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(tenant.id, number, false, signal),
    enabled: tenant.id !== '',
  });
  const onDone = () => {
    setIsAsked(true);
    void client.invalidateQueries({ queryKey });
  };
  const isUnknown = query.error instanceof ApiProblem && query.error.status === 404;
  const acted = { tenant: tenant.id, number, onDone };
  const actions = tenant.act && (
    <div className="actions">
      <RefreshOrder {...acted} />
      <ReleaseOrder {...acted} />
    </div>
  );
  return (
    <Page title={t('order.title', { number })} aside={actions}>
      {isAsked && (
        <p className="note" role="status">
          {t('order.asked')}
        </p>
      )}
      {isUnknown ? (
        <Empty>{t('order.unknown', { number })}</Empty>
      ) : (
        <Answer query={query} app="order-command-handler">
          {(order) => <Known order={order} tenant={tenant} onDone={onDone} />}
        </Answer>
      )}
    </Page>
  );
}

function Known({ order, tenant, onDone }: { order: Order; tenant: Tenant; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  // A reveal is read once, by hand, since each is counted and recorded.
  const [revealed, setRevealed] = useState<Order | null>(null);
  const reveal = async () => setRevealed(await read(tenant.id, order.orderNumber, true));
  const people = revealed?.people ?? order.people;
  const isWhole = revealed?.timeline.length === order.timeline.length;
  return (
    <>
      <Card title={t('order.course')}>
        <Course stations={courseOf(order.status?.code ?? null, order.timeline)} />
        <Heard order={order} />
      </Card>
      <Items values={order.values} timeline={order.timeline} />
      <div className="columns">
        <Card title={t('order.timeline')}>
          <Timeline entries={isWhole ? revealed.timeline : order.timeline} />
        </Card>
        <div>
          <OpenCommands tenant={tenant.id} commands={order.openCommands} mayAct={tenant.act} onDone={onDone} />
          <Invoice order={order} tenant={tenant} />
          <Fulfilment order={order} />
          {people !== null && (
            <People
              number={order.orderNumber}
              people={people}
              isRevealed={revealed !== null}
              mayReveal={tenant.act}
              reveal={reveal}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** What the ERP has of the order, and what needs somebody. */
function Heard({ order: { published, status, paid, attention } }: { order: Order }): ReactNode {
  const { t } = useTranslation();
  const { word, status: nameOf } = useWords();
  const isUncreated = published.revision === 0;
  const isCancelled = status !== null && CANCELLED.includes(status.code);
  const why = () => {
    if (isCancelled) return paid ? t('order.notCreatedCancelled') : t('order.notCreatedCancelledUnpaid');
    return paid ? t('order.erpUnheard') : t('order.notCreatedUnpaid');
  };
  return (
    <>
      <p>
        {isUncreated
          ? why()
          : t('order.erpHeard', {
              count: published.revision,
              status: nameOf(published.status) ?? t('timeline.nothing'),
            })}
      </p>
      {attention.map(({ code, since, waitsFor }) => (
        <p key={code} className="problem">
          <strong>{t('order.needs')}</strong>: {word('attention', code)} · {t('today.since')} <Moment at={since} /> ·{' '}
          {t('today.acts', { who: word('party', waitsFor) })}
        </p>
      ))}
    </>
  );
}

function Fulfilment({ order: { values } }: { order: Order }): ReactNode {
  const { t } = useTranslation();
  if (values === null) return null;
  const { type, windowStart, windowEnd, pickupPoint } = values.fulfilment;
  const name = type?.name;
  const isKnown = name === 'scheduled' || name === 'express' || name === 'pickup';
  return (
    <Card title={t('order.fulfilment')}>
      <Facts
        of={[
          [t('order.fulfilment'), isKnown ? t(`order.fulfilmentType.${name}`) : <Text value={name} />],
          [
            t('order.windowName'),
            windowStart === null || windowEnd === null ? (
              t('text.none')
            ) : (
              <>
                <Moment at={windowStart} /> – <Moment at={windowEnd} />
              </>
            ),
          ],
          ...(pickupPoint === null ? [] : [[t('order.pickupPoint'), <Text value={pickupPoint} />] as const]),
        ]}
      />
    </Card>
  );
}

async function read(tenant: string, number: string, isRevealed: boolean, signal?: AbortSignal): Promise<Order> {
  const query = { tenant, ...(isRevealed && { reveal: 'true' as const }) };
  const options = { params: { path: { number }, query }, ...(signal !== undefined && { signal }) };
  return (await answerOf(orders.GET('/api/orders/{number}', options))) as unknown as Order;
}
