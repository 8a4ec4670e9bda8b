import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Page } from '@gondola/web-kit/ui/page';
import { Raw, Text } from '@gondola/web-kit/ui/text';
import { useNamed } from '@gondola/web-kit/texts/named';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useList } from '../api/sandbox.ts';
import type { Operation, Request } from '../api/types.ts';
import { useShop } from '../shell/shop.ts';
import styles from '../ui/entries.module.css';
import { Filters, SelectField, TextField } from '../ui/field.tsx';
import { Instant } from '../ui/instant.tsx';
import { Listing } from '../ui/listing.tsx';
import { HowToCall } from './how-to-call.tsx';
import { Outcome, OutcomeOf } from './outcome.tsx';

const ANSWERS = ['2xx', '4xx', '5xx', 'none'] as const;

/** The merchant's calls of the platform, those that were refused among them. */
export function CallsPage(): ReactNode {
  const { t } = useTranslation();
  const { shop } = useShop();
  const [path, setPath] = useState('');
  const [status, setStatus] = useState('');
  const requests = useList<Request>('/admin/requests', { path, status, order: 'newest' });
  const { query: operations } = useList<Operation>('/admin/operations', { order: 'newest' });
  const outcomes = new Map(operations.data?.entries.map((operation) => [operation.operationId, operation]));
  return (
    <Page title={t('nav.calls')}>
      {shop !== undefined && <HowToCall shop={shop} />}
      <Filters>
        <TextField type="search" label={t('calls.path')} value={path} onChange={setPath} />
        <SelectField
          label={t('calls.answer')}
          value={status}
          options={[
            ['', t('orders.all')],
            ...ANSWERS.map((one) => [one, one === 'none' ? t('sent.noAnswer') : one] as const),
          ]}
          onChange={setStatus}
        />
      </Filters>
      <Card title={t('calls.title')}>
        <Listing list={requests} empty={<Empty>{t('calls.empty')}</Empty>}>
          {(found) => (
            <ul className={styles['entries']}>
              {found.map((request) => (
                <Entry key={request.seq} of={request} operation={outcomes.get(request.operationId ?? '')} />
              ))}
            </ul>
          )}
        </Listing>
      </Card>
    </Page>
  );
}

const REFUSED_FROM = 400;

function Entry({ of, operation }: { of: Request; operation: Operation | undefined }): ReactNode {
  const { at, method, path, query, status, body, operationId, refusal, faults } = of;
  const { t } = useTranslation();
  const named = useNamed();
  const isRefused = status === null || status >= REFUSED_FROM;
  return (
    <li>
      <div className={styles['line']}>
        <Instant at={at} />
        <strong>{method}</strong>
        <code>
          <Text value={path} longest={300} />
        </code>
        <span className={isRefused ? 'tag attention' : 'tag good'}>{status ?? t('sent.noAnswer')}</span>
        {faults.map((kind) => (
          <span key={kind} className="tag attention">
            {t('calls.fault', { fault: named(`fault.${kind}.name`, kind) })}
          </span>
        ))}
      </div>
      {refusal !== null && (
        <p>
          <code>{refusal.code}</code> <Text value={refusal.message} longest={1_000} />
        </p>
      )}
      {body !== null && (
        <Opened label={t('sent.body')}>
          <Raw value={body} />
        </Opened>
      )}
      {typeof query === 'string' && query !== '' && (
        <code>
          <Text value={query} longest={300} />
        </code>
      )}
      {operation !== undefined && <Outcome of={operation} />}
      {operation === undefined && operationId !== null && (
        <Opened label={t('calls.outcome')}>
          <OutcomeOf operationId={operationId} />
        </Opened>
      )}
    </li>
  );
}
