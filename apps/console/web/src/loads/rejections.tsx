import { csvOf } from '@gondola/shared/records/csv-text';
import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Copy } from '@gondola/web-kit/ui/copy';
import { Opened } from '@gondola/web-kit/ui/opened';
import { useSentence } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import type { components } from '../api/catalog-publisher.d.ts';
import { CauseBox, Waiting } from '../ui/cause-box.tsx';
import { useWords } from '../texts/words.ts';
import { download } from '../ui/download.ts';
import { Paged } from '../ui/paged.tsx';
import { Anchor } from '../ui/anchor.tsx';
import styles from './loads.module.css';

type Group = components['schemas']['RejectionGroup'];
type Rejection = components['schemas']['ShownRejection'];

interface RejectionPage {
  readonly entries: readonly Rejection[];
  readonly next: string | null;
}

const PAGE = 50;
/** Rows of one call of a download; the app answers no more. */
const MOST_OF_CALL = 200;

/** Records of the ERP that did not enter the shop, by reason and field, until a later one of the same entity does. */
export function Rejections({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['rejections', 'groups', tenant],
    queryFn: ({ signal }) => answerOf(catalog.GET('/api/rejections/groups', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Anchor place="rejections">
      <Card title={t('rejections.title')}>
        <Answer query={query} app="catalog-publisher">
          {({ groups }) =>
            groups.length === 0 ? (
              <Empty>{t('rejections.none')}</Empty>
            ) : (
              groups.map((group) => <OfCause key={`${group.reason} ${group.field}`} group={group} tenant={tenant} />)
            )
          }
        </Answer>
      </Card>
    </Anchor>
  );
}

function OfCause({ group, tenant }: { group: Group; tenant: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const { word } = useWords();
  const { reason, field, example } = group;
  const kind = t(`loads.recordKind.${example.kind}`);
  const numbers = { count: group.count, number: `${count(group.count, i18n.language)}${group.isMore ? '+' : ''}` };
  const sentence = t(field === '' ? 'rejections.sentence' : 'rejections.sentenceOfField', {
    ...numbers,
    reason,
    field,
    kind,
    reference: example.externalReference,
    message: example.message,
  });
  return (
    <CauseBox
      place={`rejections-${reason}-${field}`}
      title={[word('cause', reason), field].filter((text) => text !== '').join(' · ')}
      facts={
        <>
          <Waiting of={group} /> · <code>{reason}</code>
        </>
      }
      who={reason === 'PLATFORM_SILENT' ? 'platform' : 'erp'}
      todo={t('rejections.todo')}
      actions={
        <>
          <Copy text={sentence} label={t('rejections.copy')} />
          <Download reason={reason} field={field} tenant={tenant} />
        </>
      }
    >
      <blockquote className={styles['sentence']}>
        <Text value={sentence} longest={2_000} />
      </blockquote>
      <Opened label={t('needs.entries')}>
        <List reason={reason} field={field} tenant={tenant} />
      </Opened>
    </CauseBox>
  );
}

interface OfGroup {
  reason: string;
  field: string;
  tenant: string;
}

function List({ reason, field, tenant }: OfGroup): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const query = useInfiniteQuery({
    queryKey: ['rejections', tenant, reason, field],
    queryFn: ({ signal, pageParam }) => pageOf({ tenant, reason, field }, pageParam, PAGE, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  return (
    <Paged query={query} app="catalog-publisher" empty={<Empty>{t('needs.entriesNone')}</Empty>}>
      {(entries) => (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('loads.identity')}</th>
                <th scope="col">{t('loads.outcome')}</th>
                <th scope="col">{t('record.hint')}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map(({ id, kind, externalReference, outcome, message, rejectedAt }) => (
                <tr key={id}>
                  <td>
                    {kind === 'product' ? (
                      <Link to="/products/$reference" params={{ reference: externalReference }}>
                        <Text value={externalReference} longest={200} />
                      </Link>
                    ) : (
                      <Text value={externalReference} longest={200} />
                    )}
                    <br />
                    <small className="muted">{t(`loads.recordKind.${kind}`)}</small>
                  </td>
                  <td>
                    {word('outcome', outcome)}
                    <br />
                    <small className="muted">
                      <Moment at={rejectedAt} />
                    </small>
                  </td>
                  <td>
                    <Text value={message} longest={2_000} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Paged>
  );
}

/** All rows of a cause as CSV, read page by page. */
function Download({ reason, field, tenant }: OfGroup): ReactNode {
  const { t, i18n } = useTranslation();
  const { word } = useWords();
  const sentenceOf = useSentence();
  const [read, setRead] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    const rows: Rejection[] = [];
    setProblem(null);
    try {
      let before: string | null = null;
      do {
        setRead(rows.length);
        const read: RejectionPage = await pageOf({ tenant, reason, field }, before, MOST_OF_CALL);
        rows.push(...read.entries);
        before = read.next;
      } while (before !== null);
      const head = [
        t('loads.kind'),
        t('loads.identity'),
        t('loads.outcome'),
        t('needs.code'),
        t('record.field'),
        t('rejections.message'),
        t('record.at'),
        'commandId',
      ];
      const lines = rows.map((row) => [
        t(`loads.recordKind.${row.kind}`),
        row.externalReference,
        word('outcome', row.outcome),
        row.reason,
        row.field,
        row.message,
        row.rejectedAt,
        row.commandId,
      ]);
      download(`${[reason, field].join('-').replaceAll(/[^\w-]/g, '_')}.csv`, csvOf([head, ...lines]));
    } catch (error) {
      setProblem(sentenceOf(error, 'catalog-publisher'));
    } finally {
      setRead(null);
    }
  };
  return (
    <>
      <button type="button" disabled={read !== null} onClick={() => void save()}>
        {read === null ? t('list.download') : t('rejections.reading', { number: count(read, i18n.language) })}
      </button>
      {problem !== null && (
        <p className="problem" role="alert">
          <bdi>{problem}</bdi>
        </p>
      )}
    </>
  );
}

async function pageOf(
  filter: OfGroup,
  before: string | null,
  limit: number,
  signal?: AbortSignal,
): Promise<RejectionPage> {
  const query = { ...filter, limit, ...(before !== null && { before }) };
  return answerOf(catalog.GET('/api/rejections', { params: { query }, ...(signal !== undefined && { signal }) }));
}
