import { Empty } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../api/catalog-publisher.d.ts';
import { answerOf, catalog } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { Paged } from '../ui/paged.tsx';
import styles from './products.module.css';

type ListedProduct = components['schemas']['ListedProduct'];

const PAGE = 50;

/** Products by reference, name or EAN. The search stands in the address, so that it can be sent to a colleague. */
export function ProductsPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  const { search } = useSearch({ from: '/products' });
  const query = useInfiniteQuery({
    queryKey: ['products', tenant, search],
    queryFn: ({ signal, pageParam }) => {
      const more = { ...(search !== undefined && { search }), ...(pageParam !== null && { after: pageParam }) };
      const query = { tenant, limit: PAGE, ...more };
      return answerOf(catalog.GET('/api/products', { signal, params: { query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  return (
    <Page title={t('products.title')}>
      <SearchForm />
      <Paged
        query={query}
        app="catalog-publisher"
        empty={<Empty>{search === undefined ? t('products.none') : t('products.noneFound', { search })}</Empty>}
      >
        {(products) => <Products products={products} />}
      </Paged>
    </Page>
  );
}

function SearchForm(): ReactNode {
  const { t } = useTranslation();
  const { search = '' } = useSearch({ from: '/products' });
  const navigate = useNavigate({ from: '/products' });
  const field = useRef<HTMLInputElement>(null);
  const find = (event: FormEvent) => {
    event.preventDefault();
    const wanted = field.current?.value.trim() ?? '';
    void navigate({
      search: ({ search: _before, ...rest }) => ({ ...rest, ...(wanted !== '' && { search: wanted }) }),
    });
  };
  return (
    <form className="filters" role="search" onSubmit={find}>
      <label>
        {t('products.search')}
        <input key={search} ref={field} type="search" defaultValue={search} />
      </label>
      <button type="submit">{t('list.search')}</button>
    </form>
  );
}

function Products({ products }: { products: readonly ListedProduct[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="card scroll">
      <table className={styles['list']}>
        <thead>
          <tr>
            <th scope="col">{t('products.colProduct')}</th>
            <th scope="col">{t('products.colState')}</th>
          </tr>
        </thead>
        <tbody>
          {products.map((product) => (
            <tr key={product.externalReference}>
              <td>
                <Link to="/products/$reference" params={{ reference: product.externalReference }}>
                  <Text value={product.name ?? product.externalReference} longest={200} />
                </Link>
                <br />
                <small className="muted">
                  <Text value={product.externalReference} longest={100} /> · {t('products.changed')}{' '}
                  <Moment at={product.updatedAt} />
                </small>
              </td>
              <td>
                <State product={product} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether the shop has it, and why not, or what became of a later record. */
function State({ product: { exists, isOpen, rejection } }: { product: ListedProduct }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <span className="tags">
        {exists && <span className="tag good">{t('products.state.exists')}</span>}
        {rejection !== null && <span className="tag attention">{t(`products.state.${rejection.outcome}`)}</span>}
        {isOpen && <span className="tag">{t('products.state.open')}</span>}
        {!exists && rejection === null && !isOpen && <span className="tag">{t('products.state.absent')}</span>}
      </span>
      {rejection !== null && (
        <p className="muted">
          <Text value={rejection.message} longest={300} />
        </p>
      )}
    </>
  );
}
