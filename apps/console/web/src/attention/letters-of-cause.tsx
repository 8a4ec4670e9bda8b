import type { TopicName } from '@gondola/shared/topics/topics';
import { bytes } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Empty, Facts } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Raw, Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, clientOf } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { textOfBase64 } from '../ui/base64.ts';
import { Paged } from '../ui/paged.tsx';
import styles from './attention.module.css';
import { Discard } from './discard.tsx';
import { type Letter, type LetterApp } from './waiting.ts';

type WholeLetter = components['schemas']['DeadLetter'];

const PAGE = 20;

interface OfCause {
  app: LetterApp;
  /** Empty: none is known. */
  shop: string;
  reason: string;
  topic: string;
  mayAct: boolean;
  mayRetry: boolean;
}

/** The letters of one cause, one by one, newest first. */
export function LettersOfCause(cause: OfCause): ReactNode {
  const { t } = useTranslation();
  return (
    <Opened label={t('needs.entries')}>
      <List {...cause} />
    </Opened>
  );
}

function List({ app, shop, reason, topic, mayAct, mayRetry }: OfCause): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: ['dead-letters', app, shop, topic, reason],
    queryFn: async ({ signal, pageParam }) => {
      const filter = { tenant: shop, topic: topic as TopicName, reason, state: 'open', limit: PAGE } as const;
      const page = { ...filter, ...(pageParam !== null && { before: pageParam }) };
      const options = { signal, params: { query: page } };
      const { deadLetters, next } = await answerOf(clientOf(app).GET('/api/dead-letters', options));
      return { entries: deadLetters, next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  return (
    <Paged query={query} app={app} empty={<Empty>{t('needs.entriesNone')}</Empty>}>
      {(letters) => (
        <ul className={styles['entries']}>
          {letters.map((letter) => (
            <OneLetter key={letter.id} app={app} letter={letter} mayAct={mayAct} mayRetry={mayRetry} />
          ))}
        </ul>
      )}
    </Paged>
  );
}

interface One {
  app: LetterApp;
  letter: Letter;
  mayAct: boolean;
  mayRetry: boolean;
}

function OneLetter({ app, letter, mayAct, mayRetry }: One): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, reason, failures, lastFailedAt, partition, offset, contentErasedAt } = letter;
  const params = { path: { id } };
  const onDone = () => void client.invalidateQueries({ queryKey: ['dead-letters', app] });
  return (
    <li>
      <p>
        <Text value={reason} longest={2_000} />
      </p>
      <p className="muted">
        <Moment at={lastFailedAt} /> · {t('needs.failures', { count: failures })} ·{' '}
        {t('needs.position', { partition, offset })}
        {contentErasedAt !== null && ` · ${t('needs.erased')}`}
      </p>
      {mayAct && (
        <div className="actions">
          {mayRetry && contentErasedAt === null && (
            <Confirm
              label={t('needs.redrive')}
              title={t('needs.confirmOne.redrive')}
              run={() => answerOf(clientOf(app).POST('/api/dead-letters/{id}/redrive', { params }))}
              onDone={onDone}
            >
              <p>{t('needs.what.redrive', { app: t(`app.${app}`) })}</p>
            </Confirm>
          )}
          <Discard
            run={(note) => answerOf(clientOf(app).POST('/api/dead-letters/{id}/discard', { params, body: { note } }))}
            onDone={onDone}
          />
        </div>
      )}
      <Opened label={t('needs.open')}>
        <Whole app={app} id={id} mayAct={mayAct} />
      </Opened>
    </li>
  );
}

/** Facts of a letter; its content only after a question, since it may be personal and each look is recorded. */
function Whole({ app, id, mayAct }: { app: LetterApp; id: string; mayAct: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  const [content, setContent] = useState<WholeLetter | null>(null);
  const query = useQuery({
    queryKey: ['dead-letters', app, 'one', id],
    queryFn: ({ signal }) =>
      answerOf(clientOf(app).GET('/api/dead-letters/{id}', { signal, params: { path: { id } } })),
  });
  const show = async () => {
    const options = { params: { path: { id }, query: { body: 'true' as const } } };
    setContent(await answerOf(clientOf(app).GET('/api/dead-letters/{id}', options)));
  };
  const size = (length: number | null) => (length === null ? t('text.none') : bytes(length, i18n.language));
  return (
    <Answer query={query} app={app}>
      {(letter) => (
        <div className={styles['whole']}>
          <Facts
            of={[
              [t('needs.firstFailed'), <Moment at={letter.deadAt} />],
              [t('needs.code'), <Text value={letter.code} longest={200} />],
              [t('needs.identity'), <Text value={letter.id} longest={500} />],
              [t('needs.key'), content === null ? size(letter.keyBytes) : <Content of={content.key} />],
              [t('needs.value'), size(letter.valueBytes)],
              // Their names may be personal, too, and masked ones may be equal.
              ...(content ?? letter).headers.map(({ name, bytes: length, value }, index) => {
                return [`${index + 1} ${name}`, value === undefined ? size(length) : <Content of={value} />] as const;
              }),
            ]}
          />
          {content !== null && <Raw value={textOf(content.value)} />}
          {mayAct && content === null && letter.contentErasedAt === null && (
            <Confirm label={t('needs.show')} title={t('needs.showTitle')} run={show}>
              <p>{t('needs.showWhat')}</p>
            </Confirm>
          )}
        </div>
      )}
    </Answer>
  );
}

type Bytes = components['schemas']['Bytes'] | null | undefined;

function Content({ of }: { of: Bytes }): ReactNode {
  return <Text value={textOf(of)} longest={1_000} />;
}

function textOf(bytes: Bytes): string {
  return bytes ? textOfBase64(bytes.base64) : '';
}
