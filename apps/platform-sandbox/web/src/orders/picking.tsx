import { Card } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useAction } from '../api/sandbox.ts';
import type { Order } from '../api/types.ts';
import { OutcomeOf } from '../calls/outcome.tsx';
import { Refused } from '../ui/act.tsx';
import { useValues } from '../ui/values.ts';
import styles from './order.module.css';

/** The weights and quantities that the merchant separated, reported as its call of the platform would. */
export function Picking({ order: { number, items } }: { order: Order }): ReactNode {
  const { t, i18n } = useTranslation();
  const { amount } = useValues();
  const plain = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 6, useGrouping: false });
  // By place, because two items may be of the same SKU.
  const [picked, setPicked] = useState<readonly string[]>(() => items.map(({ quantity }) => plain.format(quantity)));
  const reporting = useAction(() =>
    send<{ operationId: string }>(`/admin/orders/${number}/picking`, {
      items: items.map(({ skuExternalReference }, place) => ({
        skuExternalReference,
        quantity: Number(picked[place]?.replace(',', '.')),
      })),
    }),
  );
  const report = (event: FormEvent) => {
    event.preventDefault();
    reporting.mutate();
  };
  return (
    <Card title={t('picking.title')}>
      <p className="muted">{t('picking.how')}</p>
      <form onSubmit={report} className={styles['picking']}>
        {items.map((item, place) => (
          <label key={`${place} ${item.skuExternalReference}`}>
            <span>
              <Text value={item.name} longest={120} /> · {amount(item.quantity, item.unitOfMeasure)}
            </span>
            <span className={styles['quantity']}>
              <input
                inputMode="decimal"
                required
                pattern="\d+([.,]\d+)?"
                value={picked[place]}
                onChange={({ target }) => setPicked(picked.with(place, target.value))}
              />
              {item.unitOfMeasure.toLowerCase()}
            </span>
          </label>
        ))}
        <button type="submit" disabled={reporting.isPending}>
          {t('picking.report')}
        </button>
      </form>
      <Refused error={reporting.error} />
      {reporting.data !== undefined && <OutcomeOf operationId={reporting.data.operationId} />}
    </Card>
  );
}
