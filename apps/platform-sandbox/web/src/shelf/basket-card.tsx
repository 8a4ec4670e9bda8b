import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useAction } from '../api/sandbox.ts';
import { Refused } from '../ui/act.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useValues } from '../ui/values.ts';
import { addToBasket, emptyBasket, type Line, priceOf, quantityOf, totalOf, useBasket } from './basket.ts';
import styles from './shelf.module.css';

const PAYMENTS = ['approved', 'refused', 'pending'] as const;
const DELIVERY_TYPES = ['scheduled', 'express', 'pickup'] as const;

interface Purchase {
  readonly payment: (typeof PAYMENTS)[number];
  readonly deliveryType: (typeof DELIVERY_TYPES)[number];
  readonly coupon: string;
}

export function Basket({ contractAccountId }: { contractAccountId: string }): ReactNode {
  const { t } = useTranslation();
  const { price } = useValues();
  const basket = useBasket();
  const [purchase, setPurchase] = useState<Purchase>({ payment: 'approved', deliveryType: 'scheduled', coupon: '' });
  const buying = useAction(async () => {
    const order = await buy(contractAccountId, basket, purchase);
    emptyBasket();
    return order;
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    buying.mutate();
  };
  return (
    <aside id="basket" className={styles['basket']} aria-label={t('basket.title')}>
      <Card title={t('basket.title')}>
        {buying.data !== undefined && (
          <p className="note" role="status">
            <Link to="/orders/$number" params={{ number: String(buying.data.number) }}>
              {t('basket.bought', { number: buying.data.number })}
            </Link>
          </p>
        )}
        {basket.length === 0 ? (
          <Empty>{t('basket.empty')}</Empty>
        ) : (
          <form onSubmit={submit}>
            <ul className={styles['lines']}>
              {basket.map((line) => (
                <BasketLine key={line.sku.externalReference} line={line} />
              ))}
            </ul>
            <p className={styles['total']}>
              {t('basket.total')} <strong>{price(totalOf(basket))}</strong>
            </p>
            <fieldset>
              <legend>{t('basket.payment')}</legend>
              {PAYMENTS.map((payment) => (
                <label key={payment} className="check">
                  <input
                    type="radio"
                    name="payment"
                    checked={purchase.payment === payment}
                    onChange={() => setPurchase({ ...purchase, payment })}
                  />
                  {t(`basket.payments.${payment}`)}
                </label>
              ))}
            </fieldset>
            <SelectField
              label={t('order.deliveryType')}
              value={purchase.deliveryType}
              options={DELIVERY_TYPES.map((type) => [type, t(`deliveryType.${type}`)])}
              onChange={(type) => setPurchase({ ...purchase, deliveryType: type as Purchase['deliveryType'] })}
            />
            <TextField
              inputMode="decimal"
              pattern="\d+([.,]\d{1,2})?"
              placeholder="0,00"
              label={t('basket.coupon')}
              value={purchase.coupon}
              onChange={(coupon) => setPurchase({ ...purchase, coupon })}
            />
            <button type="submit" className="primary" disabled={buying.isPending}>
              {t('basket.buy')}
            </button>
          </form>
        )}
        <Refused error={buying.error} />
      </Card>
    </aside>
  );
}

function BasketLine({ line }: { line: Line }): ReactNode {
  const { t } = useTranslation();
  const { price, amount } = useValues();
  const { sku } = line;
  return (
    <li>
      <span>
        <Text value={sku.name} longest={80} />
      </span>
      <span className={styles['pieces']}>
        <button type="button" aria-label={t('basket.less', { name: sku.name })} onClick={() => addToBasket(sku, -1)}>
          −
        </button>
        {amount(quantityOf(line), sku.unitOfMeasure)}
        <button type="button" aria-label={t('basket.moreOf', { name: sku.name })} onClick={() => addToBasket(sku, 1)}>
          +
        </button>
        <span className="number">{price(quantityOf(line) * priceOf(sku))}</span>
      </span>
    </li>
  );
}

async function buy(
  contractAccountId: string,
  basket: readonly Line[],
  { payment, deliveryType, coupon }: Purchase,
): Promise<{ readonly number: number }> {
  const discount = Number(coupon.replace(',', '.'));
  return send('/admin/orders', {
    contractAccountId,
    payment,
    deliveryType,
    // A whole quantity of a weighable counts its sale steps.
    items: basket.map(({ sku, pieces }) => ({
      skuExternalReference: sku.externalReference,
      quantity: pieces,
      unitPrice: priceOf(sku),
    })),
    ...(discount > 0 && { coupon: { code: 'SANDBOX', discount } }),
  });
}

/** Leads to the basket where it stands below the shelf, on a phone. */
export function ToBasket(): ReactNode {
  const { t } = useTranslation();
  const { price } = useValues();
  const basket = useBasket();
  return basket.length === 0 ? null : (
    <a href="#basket" className={`button primary ${styles['toBasket']}`}>
      {t('basket.open', { total: price(totalOf(basket)) })}
    </a>
  );
}
