import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty, Facts } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, clientOf } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { ExportCsv } from '../ui/export-csv.tsx';
import { Paged } from '../ui/paged.tsx';

type Difference = components['schemas']['ShadowDifference'];

/** The apps that leave something out. */
const APPS = ['order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
type ShadowApp = (typeof APPS)[number];

const PAGE = 50;
const LONGEST_PAGE = 200;
const COLUMNS = ['kind', 'route', 'entity', 'commandId', 'gondola', 'shop', 'why', 'lateMs', 'at'] as const;

/** What Gondola would have sent for a shop in shadow, beside what the shop got. */
export function ShadowPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  return (
    <Page title={t('shadow.title')}>
      <p className="muted">{t('shadow.what')}</p>
      {tenant !== '' && APPS.map((app) => <OfApp key={app} app={app} tenant={tenant} />)}
    </Page>
  );
}

function OfApp({ app, tenant }: { app: ShadowApp; tenant: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const query = useQuery({
    queryKey: ['shadow', app, tenant],
    queryFn: ({ signal }) => answerOf(clientOf(app).GET('/api/shadow', { signal, params: { query: { tenant } } })),
  });
  return (
    <Card title={t(`app.${app}`)}>
      <Answer query={query} app={app}>
        {({ tenants, counts }) =>
          tenants.length === 0 && counts.length === 0 ? (
            <Empty>{t('shadow.live')}</Empty>
          ) : (
            <>
              <Mode app={app} tenant={tenant} />
              <Facts of={counts.map(({ kind, count: of }) => [t(`shadow.kind.${kind}`), count(of, i18n.language)])} />
              <Differences app={app} tenant={tenant} />
            </>
          )
        }
      </Answer>
    </Card>
  );
}

/** From when on the shop is live, or in shadow again, and whether its work is held. */
function Mode({ app, tenant }: { app: ShadowApp; tenant: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['shadow-modes', app, tenant],
    queryFn: ({ signal }) =>
      answerOf(clientOf(app).GET('/api/shadow/modes', { signal, params: { query: { tenant } } })),
  });
  const [found] = query.data?.entries ?? [];
  if (found === undefined) return null;
  const { mode, heldSince, points } = found;
  // The last one of each mode.
  const last = [...new Map(points.map((point) => [point.mode, point.from])).entries()];
  const since = last.map(([of, from]) => [t(`shadow.from.${of}`), <Moment key={of} at={from} />] as const);
  const held = heldSince === null ? [] : [[t('shadow.held'), <Moment key="held" at={heldSince} />] as const];
  return <Facts of={[[t('shadow.now'), t(`shadow.mode.${mode}`)], ...held, ...since]} />;
}

function Differences({ app, tenant }: { app: ShadowApp; tenant: string }): ReactNode {
  const { t } = useTranslation();
  const read = (before: string | null, limit: number, signal: AbortSignal) => {
    const page = { tenant, limit, ...(before !== null && { before }) };
    return answerOf(clientOf(app).GET('/api/shadow/differences', { signal, params: { query: page } }));
  };
  const query = useInfiniteQuery({
    queryKey: ['shadow-differences', app, tenant],
    queryFn: ({ signal, pageParam }) => read(pageParam, PAGE, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  return (
    <Paged query={query} app={app} empty={<Empty>{t('shadow.none')}</Empty>}>
      {(differences) => (
        <>
          <div className="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('shadow.colKind')}</th>
                  <th scope="col">{t('shadow.colAbout')}</th>
                  <th scope="col">{t('shadow.colGondola')}</th>
                  <th scope="col">{t('shadow.colShop')}</th>
                </tr>
              </thead>
              <tbody>
                {differences.map((difference) => (
                  <Row key={difference.id} difference={difference} />
                ))}
              </tbody>
            </table>
          </div>
          <ExportCsv<Difference>
            name={`shadow-${tenant}-${app}.csv`}
            head={COLUMNS}
            rowOf={(difference) => COLUMNS.map((column) => difference[column])}
            read={(after, signal) => read(after, LONGEST_PAGE, signal)}
          />
        </>
      )}
    </Paged>
  );
}

function Row({ difference }: { difference: Difference }): ReactNode {
  const { t, i18n } = useTranslation();
  const { kind, route, entity, commandId, gondola, shop, why, lateMs, at } = difference;
  return (
    <tr>
      <td>
        {t(`shadow.kind.${kind}`)}
        {lateMs !== null && (
          <small> {t('shadow.late', { seconds: count(Math.round(lateMs / 1_000), i18n.language) })}</small>
        )}
        {why !== null && (
          <small>
            {' '}
            <Text value={why} longest={100} />
          </small>
        )}
        <br />
        <small className="muted">
          <Moment at={at} />
        </small>
      </td>
      <td>
        <Text value={entity} longest={200} />
        <br />
        <small className="muted">
          {route}
          {commandId !== null && (
            <>
              {' · '}
              <Text value={commandId} longest={100} />
            </>
          )}
        </small>
      </td>
      <td>
        <Text value={gondola} longest={500} />
      </td>
      <td>
        <Text value={shop} longest={500} />
      </td>
    </tr>
  );
}
