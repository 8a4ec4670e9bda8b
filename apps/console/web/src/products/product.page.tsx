import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import type { Language } from '@gondola/web-kit/texts/language';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { AppliedValues } from './applied-values.tsx';
import { LastRecord } from './last-record.tsx';
import { OpenRecords } from './open-records.tsx';
import { Path } from './path.tsx';
import { Records } from './records.tsx';
import { Skus } from './skus.tsx';
import { readProduct } from './read-product.ts';

/** Why a product is not in the shop and who must act; what the ERP sent beside what the shop shows. */
export function ProductPage(): ReactNode {
  const { t, i18n } = useTranslation();
  const { reference } = useParams({ from: '/products/$reference' });
  const tenant = useTenant();
  const [isResent, setIsResent] = useState(false);
  const path = { externalReference: reference };
  const language = i18n.language as Language;
  const explanation = useQuery({
    queryKey: ['explanation', tenant.id, reference, language],
    queryFn: ({ signal }) =>
      answerOf(
        catalog.GET('/api/products/{externalReference}/explanation', {
          signal,
          params: { path, query: { tenant: tenant.id, language } },
        }),
      ),
    enabled: tenant.id !== '',
    // Each asks the platform once.
    refetchInterval: 30_000,
  });
  const product = useQuery({
    queryKey: ['product', tenant.id, reference],
    queryFn: ({ signal }) => readProduct(tenant.id, reference, false, signal),
    enabled: tenant.id !== '',
  });
  // The name of a product of which nothing was applied stands in the list alone.
  const listed = useQuery({
    queryKey: ['product', tenant.id, reference, 'listed'],
    queryFn: async ({ signal }) => {
      const query = { tenant: tenant.id, search: reference };
      const { entries } = await answerOf(catalog.GET('/api/products', { signal, params: { query } }));
      return entries.find(({ externalReference }) => externalReference === reference) ?? null;
    },
    enabled: tenant.id !== '',
  });
  const name = listed.data?.name ?? null;
  const resend = () =>
    answerOf(catalog.POST('/api/resends', { params: { query: { tenant: tenant.id } }, body: { product: reference } }));
  const isUnknown = product.error instanceof ApiProblem && product.error.status === 404;
  return (
    <Page
      title={t('product.title', { reference })}
      aside={
        tenant.act &&
        product.data?.exists === true && (
          <Confirm
            label={t('product.resend')}
            title={t('product.resendTitle', { reference })}
            run={resend}
            onDone={() => setIsResent(true)}
          >
            <p>{t('product.resendWhat')}</p>
          </Confirm>
        )
      }
    >
      {isResent && (
        <p className="note" role="status">
          <Link to="/loads">{t('product.resent')}</Link>
        </p>
      )}
      {name !== null && (
        <p className="muted">
          <Text value={name} longest={300} />
        </p>
      )}
      <Answer query={explanation} app="catalog-publisher">
        {(shown) => <Path explanation={shown} />}
      </Answer>
      {isUnknown ? (
        <Card title={t('product.last')}>
          <Empty>{t('product.unknown', { reference })}</Empty>
        </Card>
      ) : (
        <Answer query={product} app="catalog-publisher">
          {(shown) => (
            <>
              <div className="columns">
                <LastRecord product={shown} />
                <OpenRecords records={shown.open} />
              </div>
              <Skus product={shown} steps={explanation.data?.steps ?? []} />
              <AppliedValues tenant={tenant.id} product={shown} />
              <Records tenant={tenant.id} reference={reference} />
            </>
          )}
        </Answer>
      )}
    </Page>
  );
}
