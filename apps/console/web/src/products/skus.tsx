import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/catalog-publisher.d.ts';
import { Card } from '../ui/card.tsx';
import { Text } from '../ui/text.tsx';
import { type Product, valueText } from './product-parts.ts';

type Step = components['schemas']['ShownStep'];

/** What shoppers need of each SKU. */
const NEEDED: ReadonlyArray<Step['step']> = ['skus', 'image', 'price', 'stock'];

/** SKUs of a product, with what the path says of their price, stock and pictures. */
export function Skus({ product: { applied, skus }, steps }: { product: Product; steps: readonly Step[] }): ReactNode {
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
