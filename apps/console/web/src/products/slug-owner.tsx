import { Answer } from '@gondola/web-kit/ui/answer';
import { Text } from '@gondola/web-kit/ui/text';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import type { Product } from './product-parts.ts';

/** Products that are looked at: those whose names have the words of the slug. */
const LOOKED_AT = 20;

interface OfSlug {
  tenant: string;
  slug: string;
}

/** The owner of a slug among the products that the ERP sent. The platform does not say whose it is. */
export function SlugOwner({ tenant, slug }: OfSlug): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['slug-owner', tenant, slug],
    queryFn: ({ signal }) => ownerOf({ tenant, slug }, signal),
    refetchInterval: false,
  });
  return (
    <div className="note">
      <h3>{t('product.slugOwner')}</h3>
      <Answer query={query} app="catalog-publisher">
        {({ reference }) =>
          reference === null ? (
            <p>
              <bdi>{t('product.slugOfShop', { slug })}</bdi>
            </p>
          ) : (
            <p>
              {t('product.slugOfProduct')}{' '}
              <Link to="/products/$reference" params={{ reference }}>
                <Text value={reference} longest={100} />
              </Link>
            </p>
          )
        }
      </Answer>
    </div>
  );
}

async function ownerOf({ tenant, slug }: OfSlug, signal: AbortSignal): Promise<{ reference: string | null }> {
  const query = { tenant, search: slug.replaceAll('-', ' '), limit: LOOKED_AT };
  const { entries } = await answerOf(catalog.GET('/api/products', { signal, params: { query } }));
  const references = entries.filter(({ exists }) => exists).map(({ externalReference }) => externalReference);
  const products = await Promise.all(references.map((reference) => read(tenant, reference, signal)));
  return { reference: products.find(({ applied }) => applied.product['slug'] === slug)?.externalReference ?? null };
}

async function read(tenant: string, externalReference: string, signal: AbortSignal): Promise<Product> {
  const params = { path: { externalReference }, query: { tenant } };
  return (await answerOf(catalog.GET('/api/products/{externalReference}', { signal, params }))) as unknown as Product;
}
