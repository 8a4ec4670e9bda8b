import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWords } from '../texts/words.ts';
import { Card, Empty } from '../ui/card.tsx';
import { Moment } from '../ui/times.tsx';
import type { Product } from './product-parts.ts';
import { Reasons } from './reasons.tsx';

/** How the last record about a product ended, and what the ERP must correct. */
export function LastRecord({ product: { lastEnd } }: { product: Product }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  if (lastEnd === null) {
    return (
      <Card title={t('product.last')}>
        <Empty>{t('product.lastNone')}</Empty>
      </Card>
    );
  }
  const { outcome, finishedAt, errors, reason } = lastEnd;
  const isGood = outcome === 'applied' || outcome === 'unchanged';
  const reasons = errors.length > 0 ? errors : reason === null ? [] : [reason];
  return (
    <Card title={t('product.last')} aside={<Moment at={finishedAt} />}>
      <p>
        <span className={isGood ? 'tag good' : 'tag attention'}>{word('outcome', outcome)}</span>
      </p>
      {!isGood && reasons.length > 0 && (
        <>
          <h3>{t('product.errors')}</h3>
          <Reasons reasons={reasons} />
        </>
      )}
    </Card>
  );
}
