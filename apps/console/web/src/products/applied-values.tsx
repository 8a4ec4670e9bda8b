import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../shell/tenant.ts';
import { answerOf, catalog } from '../api/clients.ts';
import type { components } from '../api/catalog-publisher.d.ts';
import { type Product, recordOf, valueText } from './product-parts.ts';
import { readProduct } from './read-product.ts';

type Difference = components['schemas']['ShownDifference'];

/** What the ERP sent and was applied, beside what the shop has once it is asked; what differs is marked. */
export function AppliedValues({ tenant, product }: { tenant: string; product: Product }): ReactNode {
  const { t } = useTranslation();
  const comparing = useMutation({
    mutationFn: async () =>
      answerOf(
        catalog.POST('/api/comparisons', {
          params: { query: { tenant } },
          body: { records: [recordOf(await readProduct(tenant, product.externalReference, true))], adopt: false },
        }),
      ),
  });
  const { applied } = product;
  const { act } = useTenant();
  const compared = comparing.data?.products[0];
  const stopped = comparing.data?.stopped ?? null;
  if (Object.keys(applied.product).length === 0) {
    return (
      <Card title={t('product.applied')}>
        <Empty>{t('product.appliedNone')}</Empty>
      </Card>
    );
  }
  return (
    <>
      <Card
        title={t('product.applied')}
        aside={
          act && (
            <button type="button" disabled={comparing.isPending} onClick={() => comparing.mutate()}>
              {comparing.isPending ? t('product.comparing') : t('product.compare')}
            </button>
          )
        }
      >
        {comparing.error !== null && <Problem error={comparing.error} app="catalog-publisher" />}
        {stopped !== null && <p className="problem">{t('product.stopped', { cause: stopped.cause })}</p>}
        {compared !== undefined && (
          <p className={compared.state === 'same' ? 'note' : 'problem'} role="status">
            {t(`product.compared.${compared.state}`)}
          </p>
        )}
        <Values
          values={applied.product}
          differences={differencesOf(compared, undefined)}
          isCompared={compared !== undefined}
        />
      </Card>
      {Object.entries(applied.skus).map(([reference, values]) => (
        <Card key={reference} title={`${t('product.sku')} ${reference}`}>
          <Values
            values={values}
            differences={differencesOf(compared, reference)}
            isCompared={compared !== undefined}
          />
        </Card>
      ))}
    </>
  );
}

interface Compared {
  values: Readonly<Record<string, unknown>>;
  differences: ReadonlyMap<string, Difference>;
  isCompared: boolean;
}

function Values({ values, differences, isCompared }: Compared): ReactNode {
  const { t } = useTranslation();
  const fields = [...new Set([...Object.keys(values), ...differences.keys()])];
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('product.field')}</th>
            <th scope="col">{t('product.erp')}</th>
            {isCompared && <th scope="col">{t('product.shop')}</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const difference = differences.get(field);
            return (
              <tr key={field}>
                <td>
                  <code>{field}</code>
                </td>
                <td>
                  <Text value={valueText(values[field] ?? difference?.expected)} longest={500} />
                </td>
                {isCompared && (
                  <td>
                    {difference === undefined ? (
                      <span className="muted">=</span>
                    ) : (
                      <mark>
                        <Text value={valueText(difference.found)} longest={500} />
                      </mark>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function differencesOf(
  compared: { readonly differences: readonly Difference[] } | undefined,
  sku: string | undefined,
): ReadonlyMap<string, Difference> {
  const its = compared?.differences.filter(({ skuExternalReference }) => skuExternalReference === sku) ?? [];
  return new Map(its.map((difference) => [difference.field, difference]));
}
