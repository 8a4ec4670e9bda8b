import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import { useWords } from '../texts/words.ts';
import { Paged } from '../ui/paged.tsx';

const PAGE = 20;
const GOOD = ['applied', 'unchanged', 'superseded'];

/** Every record about the product, and about prices and stock of its SKUs, with its outcome. */
export function Records({ tenant, reference }: { tenant: string; reference: string }): ReactNode {
  const { t } = useTranslation();
  const { word, named } = useWords();
  const query = useInfiniteQuery({
    queryKey: ['product', tenant, reference, 'records'],
    queryFn: ({ signal, pageParam }) => {
      const page = { tenant, limit: PAGE, ...(pageParam !== null && { before: pageParam }) };
      const params = { path: { externalReference: reference }, query: page };
      return answerOf(catalog.GET('/api/products/{externalReference}/records', { signal, params }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  return (
    <Card title={t('product.records')}>
      <Paged query={query} app="catalog-publisher" empty={<Empty>{t('product.recordsNone')}</Empty>}>
        {(entries) => (
          <div className="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('notifications.colReceived')}</th>
                  <th scope="col">{t('product.recordAbout')}</th>
                  <th scope="col">{t('record.outcome')}</th>
                </tr>
              </thead>
              <tbody>
                {entries.map(({ id, kind, externalReference, commandId, receivedAt, outcome }) => (
                  <tr key={id}>
                    <td>
                      <Moment at={receivedAt} />
                    </td>
                    <td>
                      {named(`loads.recordKind.${kind}`, kind)} <Text value={externalReference} longest={200} />
                      <br />
                      <small className="muted">
                        <Text value={commandId} longest={200} />
                      </small>
                    </td>
                    <td>
                      <span className={outcome === null || GOOD.includes(outcome) ? 'tag' : 'tag attention'}>
                        {outcome === null ? t('product.recordOpen') : word('outcome', outcome)}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Paged>
    </Card>
  );
}
