import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tenant } from '../shell/tenant.ts';
import { adviceOnLetters } from './advice.ts';
import { Bulk } from './bulk.tsx';
import { Anchor } from '../ui/anchor.tsx';
import { CauseBox, Waiting } from '../ui/cause-box.tsx';
import { useWords } from '../texts/words.ts';
import { LettersOfCause } from './letters-of-cause.tsx';
import { type LetterApp, LETTER_APPS, type LetterGroup, letterGroups } from './waiting.ts';

/** Dead letters, by the app that could not use them, the reason and the topic. */
export function Letters({ tenant }: { tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const queries = useQueries({
    queries: LETTER_APPS.map((app) => ({
      queryKey: ['dead-letters', app, tenant.id, 'groups'],
      queryFn: ({ signal }: { signal: AbortSignal }) => letterGroups(app, tenant.id, signal),
      enabled: tenant.id !== '',
    })),
  });
  return (
    <Card title={t('needs.letters')}>
      {queries.every(({ data }) => data?.length === 0) && <Empty>{t('needs.lettersNone')}</Empty>}
      {LETTER_APPS.map((app, index) => (
        <Anchor key={app} place={`letters-${app}`}>
          <Answer query={queries[index]!} app={app}>
            {(groups) =>
              groups.map((group) => (
                <Group
                  key={`${group.tenant} ${group.topic} ${group.reason}`}
                  app={app}
                  group={group}
                  groups={groups}
                  tenant={tenant}
                />
              ))
            }
          </Answer>
        </Anchor>
      ))}
    </Card>
  );
}

interface Grouped {
  app: LetterApp;
  group: LetterGroup;
  groups: readonly LetterGroup[];
  tenant: Tenant;
}

function Group({ app, group, groups, tenant }: Grouped): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const { who, todo, mayRetry } = adviceOnLetters(group);
  const { reason, topic } = group;
  const shop = group.tenant ?? '';
  const many = {
    app,
    tenant: shop,
    cause: { reason, topic },
    causes: groups.filter((each) => each.tenant === group.tenant),
  };
  return (
    <CauseBox
      place={`letters-${app}-${reason}-${topic}`}
      title={word('cause', reason)}
      facts={
        <>
          <Waiting of={group} /> · {t('needs.ofApp', { app: t(`app.${app}`) })} · <code>{topic}</code> ·{' '}
          <code>{reason}</code>
          {group.tenant === null && ` · ${t('needs.noShop')}`}
        </>
      }
      who={who}
      todo={t(`needs.todo.${todo}`)}
      actions={
        tenant.act && (
          <>
            {mayRetry && <Bulk {...many} action="redrive" />}
            <Bulk {...many} action="discard" />
          </>
        )
      }
    >
      <LettersOfCause app={app} shop={shop} reason={reason} topic={topic} mayAct={tenant.act} mayRetry={mayRetry} />
    </CauseBox>
  );
}
