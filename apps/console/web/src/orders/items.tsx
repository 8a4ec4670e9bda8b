import { money, quantity } from '@gondola/web-kit/format/amounts';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { chargedKilograms, isRecalculated, lastHeard } from './charged.ts';
import type { OrderItem, OrderValues, TimelineEntry } from './order-parts.ts';

interface Shown {
  values: OrderValues | null;
  timeline: readonly TimelineEntry[];
}

/** Items as they were asked for and as the customer pays them, and by which event the ERP has them. */
export function Items({ values, timeline }: Shown): ReactNode {
  const { t, i18n } = useTranslation();
  if (values === null || values.items.length === 0) {
    return (
      <Card title={t('order.items')}>
        <Empty>{t('order.noItems')}</Empty>
      </Card>
    );
  }
  const { totals } = values;
  const isPicked = isRecalculated(timeline);
  const heard = lastHeard(timeline);
  const sums = [
    ['subtotal', t('order.subtotal')],
    ['discount', t('order.discountTotal')],
    ['freight', t('order.freight')],
  ] as const;
  return (
    <Card title={t('order.items')}>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('order.colItem')}</th>
              <th scope="col" className="number">
                {t('order.colAsked')}
              </th>
              <th scope="col" className="number">
                {t('order.colPaid')}
              </th>
            </tr>
          </thead>
          <tbody>
            {values.items.map((item) => (
              <Row key={item.line} item={item} isPicked={isPicked} />
            ))}
          </tbody>
          <tfoot>
            {sums
              .filter(([name]) => totals[name] !== null && Number(totals[name]) !== 0 && totals[name] !== totals.total)
              .map(([name, title]) => (
                <tr key={name}>
                  <th scope="row" colSpan={2}>
                    {title}
                  </th>
                  <td className="number">{money(totals[name], i18n.language)}</td>
                </tr>
              ))}
            <tr>
              <th scope="row" colSpan={2}>
                {t('order.total')}
              </th>
              <td className="number">
                <strong>{money(totals.total, i18n.language)}</strong>
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className="muted">
        {t(isPicked ? 'order.priceOfPicked' : 'order.priceOfAsked')}{' '}
        {heard !== null && (
          <>
            {t('order.heardItems', { revision: heard.revision ?? '' })} <Moment at={heard.at} />.
          </>
        )}
      </p>
    </Card>
  );
}

function Row({ item, isPicked }: { item: OrderItem; isPicked: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  const { name, skuExternalReference, ean, orderedQuantity, unitOfMeasure, approximateWeight, salePrice } = item;
  const weight =
    approximateWeight === null ? null : quantity(approximateWeight.value, approximateWeight.unit, i18n.language);
  const charged = isPicked ? chargedKilograms(item) : null;
  return (
    <tr>
      <td>
        <Text value={name ?? t('order.skuUnknown')} longest={300} />
        <br />
        <small className="muted">
          <Text value={skuExternalReference ?? ean} longest={100} />
          {salePrice !== null && (
            <>
              {' · '}
              {money(salePrice, i18n.language)}
              {unitOfMeasure !== null && unitOfMeasure !== 'Un' && `/${unitOfMeasure.toLowerCase()}`}
            </>
          )}
        </small>
      </td>
      <td className="number">
        {weight === null
          ? orderedQuantity !== null && quantity(orderedQuantity, null, i18n.language)
          : t('order.aboutWeight', { weight })}
        {charged !== null && (
          <>
            <br />
            <small className="muted">
              {t('order.pickedWeight', { weight: quantity(charged, 'Kg', i18n.language) })}
            </small>
          </>
        )}
      </td>
      <td className="number">
        {money(item.net, i18n.language)}
        {item.discount !== null && Number(item.discount) !== 0 && (
          <>
            <br />
            <small className="muted">
              {t('order.discount', { amount: money(item.discount, i18n.language) ?? '' })}
            </small>
          </>
        )}
      </td>
    </tr>
  );
}
