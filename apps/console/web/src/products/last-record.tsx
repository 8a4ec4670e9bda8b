import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useWords } from '../texts/words.ts';
import { type Product, takenSlugOf } from './product-parts.ts';
import { Reasons } from './reasons.tsx';
import { SlugOwner } from './slug-owner.tsx';

/** How the last record about a product ended, and what the ERP must correct. */
export function LastRecord({ product }: { product: Product }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const { tenant, lastEnd } = product;
  if (lastEnd === null) {
    return (
      <Card title={t('product.last')}>
        <Empty>{t('product.lastNone')}</Empty>
      </Card>
    );
  }
  const { commandId, outcome, finishedAt, errors, reason } = lastEnd;
  const isGood = outcome === 'applied' || outcome === 'unchanged';
  const slug = takenSlugOf(product);
  const reasons = errors.length > 0 ? errors : reason === null ? [] : [reason];
  return (
    <Card title={t('product.last')} aside={<Moment at={finishedAt} />}>
      <p>
        <span className={isGood ? 'tag good' : 'tag attention'}>{word('outcome', outcome)}</span>{' '}
        <small className="muted">
          {t('product.record')} <Text value={commandId} longest={200} />
        </small>
      </p>
      {!isGood && reasons.length > 0 && (
        <>
          <h3>{t('product.errors')}</h3>
          <Reasons reasons={reasons} />
          {slug !== null && <SlugOwner tenant={tenant} slug={slug} />}
        </>
      )}
    </Card>
  );
}
