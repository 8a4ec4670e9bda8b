import { csvOf } from '@gondola/shared/records/csv-text';
import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty, Facts } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import type { components } from '../api/catalog-publisher.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { download } from '../ui/download.ts';
import { LoadProgress } from './load-progress.tsx';

type Load = components['schemas']['LoadWithTrouble'];

export function LoadPage(): ReactNode {
  const { t } = useTranslation();
  const { loadId } = useParams({ from: '/loads/$loadId' });
  const { id: tenant } = useTenant();
  const query = useQuery({
    queryKey: ['load', tenant, loadId],
    queryFn: ({ signal }) =>
      answerOf(catalog.GET('/api/loads/{loadId}', { signal, params: { path: { loadId }, query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Page title={t('loads.one', { id: loadId })}>
      <Answer query={query} app="catalog-publisher">
        {(load) => (
          <>
            <div className="card">
              <LoadProgress load={load} />
            </div>
            <div className="columns">
              <Counts load={load} />
              <NotApplied load={load} />
            </div>
          </>
        )}
      </Answer>
    </Page>
  );
}

function Counts({ load: { counts } }: { load: Load }): ReactNode {
  const { t, i18n } = useTranslation();
  const states = Object.entries(counts) as Array<[keyof Load['counts'], number]>;
  return (
    <Card title={t('loads.counts')}>
      <Facts
        of={states
          .filter(([, number]) => number > 0)
          .map(([state, number]) => [t(`loads.state.${state}`), count(number, i18n.language)])}
      />
    </Card>
  );
}

function NotApplied({ load: { loadId, notApplied } }: { load: Load }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  if (notApplied.length === 0) {
    return (
      <Card title={t('loads.notApplied')}>
        <Empty>{t('loads.notAppliedNone')}</Empty>
      </Card>
    );
  }
  const save = () => {
    const rows = notApplied.map(({ kind, identity, outcome, commandId }) => [
      kind,
      identity,
      word('outcome', outcome),
      commandId,
    ]);
    const head = [t('loads.kind'), t('loads.identity'), t('loads.outcome'), 'commandId'];
    download(`${loadId.replaceAll(/[^\w-]/g, '_')}.csv`, csvOf([head, ...rows]));
  };
  return (
    <Card
      title={t('loads.notApplied')}
      aside={
        <button type="button" onClick={save}>
          {t('list.download')}
        </button>
      }
    >
      <p className="muted">{t('loads.latest', { count: notApplied.length })}</p>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('loads.identity')}</th>
              <th scope="col">{t('loads.kind')}</th>
              <th scope="col">{t('loads.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {notApplied.map(({ kind, identity, outcome, commandId }) => (
              <tr key={commandId}>
                <td>
                  {kind === 'product' ? (
                    <Link to="/products/$reference" params={{ reference: identity }}>
                      <Text value={identity} longest={200} />
                    </Link>
                  ) : (
                    <Text value={identity} longest={200} />
                  )}
                </td>
                <td>{t(`loads.recordKind.${kind}`)}</td>
                <td>{word('outcome', outcome)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
