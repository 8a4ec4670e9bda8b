import { call } from '@gondola/web-kit/api/call';
import { Empty } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { Paged } from '../ui/paged.tsx';

interface Action {
  readonly id: string;
  readonly at: string;
  readonly operator: string;
  /** Id of an operator at the provider of OpenID Connect. */
  readonly operatorSubject: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly outcome: 'begun' | 'done' | 'refused' | 'failed';
}

/** What operators did through the console, newest first. */
export function OperatorsPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  const query = useInfiniteQuery({
    queryKey: ['actions', tenant],
    queryFn: async ({ signal, pageParam }) => {
      const search = new URLSearchParams({ tenant, ...(pageParam !== null && { after: pageParam }) });
      const path = `/actions?${search.toString()}`;
      const page = await call<{ items: readonly Action[]; next: string | null }>(path, { signal });
      return { entries: page.items, next: page.next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  return (
    <Page title={t('operators.title')}>
      <Paged query={query} empty={<Empty>{t('operators.none')}</Empty>}>
        {(actions) => (
          <div className="card scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('operators.colAt')}</th>
                  <th scope="col">{t('operators.colWho')}</th>
                  <th scope="col">{t('operators.colWhat')}</th>
                  <th scope="col">{t('operators.colOutcome')}</th>
                </tr>
              </thead>
              <tbody>
                {actions.map((action) => (
                  <Row key={action.id} action={action} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Paged>
    </Page>
  );
}

function Row({ action: { at, operator, operatorSubject, action, subject, outcome } }: { action: Action }): ReactNode {
  const { t } = useTranslation();
  const { named } = useWords();
  return (
    <tr>
      <td>
        <Moment at={at} />
      </td>
      <td>
        <Text value={operator} longest={100} />
        {operatorSubject !== null && (
          <>
            <br />
            <small className="muted">
              <Text value={operatorSubject} longest={255} />
            </small>
          </>
        )}
      </td>
      <td>
        <Text value={named(`operators.action.${action}`, action)} longest={100} />
        {subject !== null && (
          <>
            <br />
            <small className="muted">
              <Text value={subject} longest={200} />
            </small>
          </>
        )}
      </td>
      <td>
        <span className={outcome === 'done' ? 'tag good' : 'tag attention'}>{t(`operators.outcome.${outcome}`)}</span>
      </td>
    </tr>
  );
}
