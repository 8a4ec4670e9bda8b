import { Text } from '@gondola/web-kit/ui/text';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Product, Sku } from '../api/types.ts';
import { useValues } from '../ui/values.ts';
import { addToBasket } from './basket.ts';
import styles from './shelf.module.css';

export function ProductCard({ product }: { product: Product }): ReactNode {
  const { name, brand, imageUrl, skus } = product;
  const picture = imageUrl ?? skus.find((sku) => sku.imageUrl !== null)?.imageUrl;
  return (
    <li className={styles['product']}>
      <div className={styles['picture']}>
        {picture === undefined || picture === null ? (
          <span aria-hidden="true">{name.slice(0, 1)}</span>
        ) : (
          <img src={picture} alt="" loading="lazy" />
        )}
      </div>
      <h2>
        <Text value={name} longest={120} />
      </h2>
      {brand !== null && (
        <p className="muted">
          <Text value={brand.name} longest={60} />
        </p>
      )}
      {skus.map((sku) => (
        <SkuRow key={sku.externalReference} sku={sku} isNamed={skus.length > 1} name={name} />
      ))}
    </li>
  );
}

function SkuRow({ sku, name, isNamed }: { sku: Sku; name: string; isNamed: boolean }): ReactNode {
  const { t } = useTranslation();
  const { price, amount } = useValues();
  const unit = sku.unitOfMeasure.toLowerCase();
  const isPromoted = sku.promotionalPrice !== null && sku.price !== null && sku.promotionalPrice < sku.price;
  const shown = isPromoted ? sku.promotionalPrice : (sku.price ?? sku.promotionalPrice);
  return (
    <div className={styles['sku']}>
      {isNamed && (
        <p>
          <Text value={sku.name} longest={120} />
        </p>
      )}
      <p className={styles['price']}>
        {isPromoted && (
          <s>
            <span className={styles['spoken']}>{t('shelf.before')} </span>
            {price(sku.price)}
          </s>
        )}
        {shown === null ? <span className="muted">{t('shelf.noPrice')}</span> : <strong>{price(shown)}</strong>}
        {shown !== null && <small> / {unit}</small>}
      </p>
      {sku.isWeighable && <p className="muted">{t('shelf.step', { step: amount(sku.saleStep, sku.unitOfMeasure) })}</p>}
      {sku.stock !== null && (
        <p className="muted">{t('shelf.stock', { stock: amount(sku.stock, sku.unitOfMeasure) })}</p>
      )}
      <button
        type="button"
        aria-label={t('shelf.addOf', { name: isNamed ? sku.name : name })}
        onClick={() => addToBasket(sku, 1)}
      >
        {t('shelf.add')}
      </button>
    </div>
  );
}
