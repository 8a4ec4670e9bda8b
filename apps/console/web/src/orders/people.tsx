import { money } from '@gondola/web-kit/format/amounts';
import { Card, Facts } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Text } from '@gondola/web-kit/ui/text';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderPeople } from './order-parts.ts';

interface Shown {
  number: string;
  people: OrderPeople;
  isRevealed: boolean;
  mayReveal: boolean;
  reveal: () => Promise<unknown>;
}

/** The customer of an order; personal data is masked until somebody who may act asks for it, which is recorded. */
export function People({ number, people, isRevealed, mayReveal, reveal }: Shown): ReactNode {
  const { t, i18n } = useTranslation();
  const { customer, address, payments } = people;
  const street = joined([joined([address.street, address.number], ', '), address.additionalInfo, address.neighborhood]);
  const town = joined([joined([address.city, address.state], ' – '), address.zipCode]);
  return (
    <Card
      title={t('order.people')}
      aside={
        !isRevealed &&
        mayReveal && (
          <Confirm label={t('order.reveal')} title={t('order.revealTitle', { number })} run={reveal}>
            <p>{t('order.revealWhat')}</p>
          </Confirm>
        )
      }
    >
      <p className="muted">{isRevealed ? t('order.revealed') : t('order.masked')}</p>
      <Facts
        of={[
          [
            t('order.customerName'),
            <Text value={joined([customer.firstName, customer.lastName], ' ')} longest={300} />,
          ],
          [t('order.contact'), <Text value={joined([customer.phone, customer.email])} longest={300} />],
          [t('order.document'), <Text value={customer.document} longest={100} />],
          [t('order.address'), <Text value={joined([street, town, address.reference])} longest={600} />],
          [
            t('order.paidBy'),
            payments.map(({ method, brand, value }, index) => (
              <div key={index}>
                <Text value={joined([method, brand, money(value, i18n.language)])} longest={200} />
              </div>
            )),
          ],
        ]}
      />
    </Card>
  );
}

function joined(parts: ReadonlyArray<string | null>, between = ' · '): string {
  return parts.filter((part) => part !== null && part !== '').join(between);
}
