import { call, jsonBody } from '@gondola/web-kit/api/call';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignInMethod } from '../api/session.ts';
import styles from './sessions.module.css';

interface Listed {
  readonly id: string;
  readonly operator: string;
  readonly method: SignInMethod;
  readonly subject: string | null;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly address: string | null;
}

interface SessionList {
  readonly items: readonly Listed[];
  /** Id of the session of this browser. */
  readonly present: string;
  /** True if the sessions of others are among them. */
  readonly everybody: boolean;
}

/** Who is signed in, from where and since when, and the end of sessions. */
export function SessionsPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call<SessionList>('/sessions', { signal }),
  });
  return (
    <Page title={t('sessions.title')}>
      <Answer query={query}>
        {({ items, present, everybody }) => (
          <>
            <p className="muted">{everybody ? t('sessions.everybody') : t('sessions.own')}</p>
            <div className="card scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('sessions.colWho')}</th>
                    <th scope="col">{t('sessions.colSince')}</th>
                    <th scope="col">{t('sessions.colSeen')}</th>
                    <th scope="col">{t('sessions.colEnd')}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((session) => (
                    <Row
                      key={session.id}
                      session={session}
                      isPresent={session.id === present}
                      isOneOfSeveral={items.filter((each) => isSameOperator(each, session)).length > 1}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </Answer>
    </Page>
  );
}

interface RowContent {
  readonly session: Listed;
  readonly isPresent: boolean;
  /** True if the same operator has other sessions, too. */
  readonly isOneOfSeveral: boolean;
}

function Row({ session, isPresent, isOneOfSeveral }: RowContent): ReactNode {
  const { t } = useTranslation();
  const { id, operator, method, subject, createdAt, seenAt, address } = session;
  return (
    <tr>
      <td>
        <Text value={operator} longest={100} /> {isPresent && <span className="tag">{t('sessions.present')}</span>}
        <br />
        <small className="muted">
          {t(`sessions.method.${method}`)}
          {address !== null && (
            <>
              {' · '}
              <span className={styles['address']}>
                <Text value={address} longest={100} />
              </span>
            </>
          )}
          {subject !== null && (
            <>
              {' · '}
              <Text value={subject} longest={255} />
            </>
          )}
        </small>
      </td>
      <td>
        <Moment at={createdAt} />
      </td>
      <td>
        <Moment at={seenAt} relative />
      </td>
      <td>
        <div className="actions">
          <End id={id} operator={operator} all={false} />
          {isOneOfSeveral && <End id={id} operator={operator} all />}
        </div>
      </td>
    </tr>
  );
}

function End({ id, operator, all }: { id: string; operator: string; all: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <Confirm
      label={all ? t('sessions.endAll') : t('sessions.end')}
      title={all ? t('sessions.endAllTitle', { operator }) : t('sessions.endTitle', { operator })}
      dangerous
      run={() => call(`/sessions/${id}/end`, jsonBody('POST', { all }))}
      onDone={() => {
        void client.invalidateQueries({ queryKey: ['sessions'] });
        // It may have been the own one.
        void client.invalidateQueries({ queryKey: ['session'] });
      }}
    >
      <p>{t('sessions.endWhat')}</p>
    </Confirm>
  );
}

function isSameOperator(one: Listed, other: Listed): boolean {
  return one.method === other.method && one.operator === other.operator && one.subject === other.subject;
}
