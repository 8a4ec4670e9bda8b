import { Card } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/catalog-publisher.d.ts';
import { type Product, valueText } from './product-parts.ts';

type SkuValue = components['schemas']['ShownProduct']['values'][number];
type Step = components['schemas']['ShownStep'];

/** What shoppers need of each SKU. */
const NEEDED: ReadonlyArray<Step['step']> = ['skus', 'image', 'price', 'stock'];

/** SKUs of a product, with what the path says of their price, stock and pictures. */
export function Skus({
  product: { applied, skus, values },
  steps,
}: {
  product: Product;
  steps: readonly Step[];
}): ReactNode {
  const { t } = useTranslation();
  const references = [...new Set([...skus, ...Object.keys(applied.skus)])];
  if (references.length === 0) return null;
  return (
    <Card title={t('product.skus')}>
      <ul className="reasons">
        {steps
          .filter(({ step }) => NEEDED.includes(step))
          .map(({ step, state, text }) => (
            <li key={step}>
              <span className={state === 'done' ? 'tag good' : 'tag attention'}>{t(`product.step.${step}`)}</span>{' '}
              <Text value={text} longest={1_000} />
            </li>
          ))}
      </ul>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('product.sku')}</th>
              <th scope="col">{t('product.ean')}</th>
              <th scope="col">{t('product.unit')}</th>
              <th scope="col">{t('product.step.price')}</th>
              <th scope="col">{t('product.step.stock')}</th>
              <th scope="col">{t('product.pictures')}</th>
            </tr>
          </thead>
          <tbody>
            {references.map((reference) => {
              const { name, ean, unitOfMeasurement } = applied.skus[reference] ?? {};
              return (
                <tr key={reference}>
                  <td>
                    <Text value={valueText(name ?? reference)} longest={200} />
                    <br />
                    <small className="muted">
                      <Text value={reference} longest={100} />
                      {!skus.includes(reference) && ` · ${t('product.skuAbsent')}`}
                    </small>
                  </td>
                  <td>
                    <Text value={valueText(ean)} longest={100} />
                  </td>
                  <td>
                    <Text value={valueText(unitOfMeasurement)} longest={100} />
                  </td>
                  {(['price', 'stock'] as const).map((kind) => (
                    <td key={kind}>
                      <SkuValues values={values.filter((value) => isOf(value, kind, reference))} />
                    </td>
                  ))}
                  <td>
                    <Link to="/files/$reference" params={{ reference }} aria-label={t('files.one', { reference })}>
                      {t('product.pictures')}
                    </Link>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function isOf(value: SkuValue, kind: SkuValue['kind'], reference: string): boolean {
  return value.kind === kind && value.skuExternalReference === reference;
}

/** Prices or stock of one SKU as last accepted, each with its place. */
function SkuValues({ values }: { values: readonly SkuValue[] }): ReactNode {
  const { t } = useTranslation();
  if (values.length === 0) return <span className="muted">{t('product.valueNone')}</span>;
  return values.map(({ warehouse, policy, applied, appliedAt }) => {
    const place = warehouse ?? policy;
    const fields = Object.entries(applied ?? {}).filter(([name]) => name !== 'externalReference');
    return (
      <div key={place ?? ''}>
        <Text
          value={
            applied === null
              ? t('product.valueUnknown')
              : fields.map(([name, value]) => `${name} ${valueText(value)}`).join(' · ')
          }
          longest={300}
        />
        <br />
        <small className="muted">
          {place !== null && (
            <>
              <Text value={place} longest={100} /> ·{' '}
            </>
          )}
          {appliedAt !== null && <Moment at={appliedAt} />}
        </small>
      </div>
    );
  });
}
