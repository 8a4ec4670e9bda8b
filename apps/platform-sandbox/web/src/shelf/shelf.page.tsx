import { useNamed } from '@gondola/web-kit/texts/named';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useList } from '../api/sandbox.ts';
import type { Product, Tenant } from '../api/types.ts';
import { FirstSteps } from '../settings/first-steps.tsx';
import { SeedForm } from '../settings/seed-form.tsx';
import { useShop } from '../shell/shop.ts';
import { Filters, TextField } from '../ui/field.tsx';
import { Listing } from '../ui/listing.tsx';
import { Basket, ToBasket } from './basket-card.tsx';
import { ProductCard } from './product-card.tsx';
import styles from './shelf.module.css';

/** The shop as a shopper sees it; apart from it, what no shopper sees and why. */
export function ShelfPage(): ReactNode {
  const { t } = useTranslation();
  const { shop, shops } = useShop();
  return (
    <Page title={t('nav.shelf')}>
      {shops?.length === 0 && <FirstSteps />}
      {shop !== undefined && <Shelf shop={shop} />}
    </Page>
  );
}

function Shelf({ shop: { contractAccountId, webhook } }: { shop: Tenant }): ReactNode {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const products = useList<Product>('/admin/products', { q: search, visible: 'true', contractAccountId });
  return (
    <div className={styles['shop']}>
      <div>
        {webhook === null && (
          <p className="note">
            {t('shelf.noReceiver')} <Link to="/sent">{t('webhook.register')}</Link>
          </p>
        )}
        <Filters>
          <TextField type="search" label={t('shelf.search')} value={search} onChange={setSearch} />
        </Filters>
        <Listing
          list={products}
          empty={
            search === '' ? (
              <Card title={t('shelf.emptyTitle')}>
                <Empty>{t('shelf.empty')}</Empty>
                <SeedForm contractAccountId={contractAccountId} />
              </Card>
            ) : (
              <Empty>{t('shelf.notFound')}</Empty>
            )
          }
        >
          {(found) => (
            <ul className={styles['products']}>
              {found.map((product) => (
                <ProductCard key={product.seq} product={product} />
              ))}
            </ul>
          )}
        </Listing>
        <ToBasket />
        <Hidden search={search} contractAccountId={contractAccountId} />
      </div>
      <Basket contractAccountId={contractAccountId} />
    </div>
  );
}

function Hidden({ search, contractAccountId }: { search: string; contractAccountId: string }): ReactNode {
  const { t } = useTranslation();
  const named = useNamed();
  const hidden = useList<Product>('/admin/products', { q: search, visible: 'false', contractAccountId });
  if (hidden.query.data?.total === 0) return null;
  return (
    <Card title={t('shelf.hidden')}>
      <p className="muted">{t('shelf.hiddenWhy')}</p>
      <Listing list={hidden} empty={null}>
        {(found) => (
          <ul className={styles['hidden']}>
            {found.map(({ seq, name, externalReference, hiddenBecause }) => (
              <li key={seq}>
                <strong>
                  <Text value={name} longest={200} />
                </strong>{' '}
                <code>{externalReference}</code>
                <p>
                  <Text value={named(`hidden.${hiddenBecause}`, hiddenBecause ?? '')} longest={500} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </Card>
  );
}
