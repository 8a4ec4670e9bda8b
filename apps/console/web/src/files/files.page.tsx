import { bytes, count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty, Facts } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, files } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { OpenForm } from '../ui/open-form.tsx';
import { SendFile } from './send-file.tsx';

export function FilesPage(): ReactNode {
  const { t, i18n } = useTranslation();
  const { named } = useWords();
  const { id: tenant, act } = useTenant();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['files', 'counts', tenant],
    queryFn: ({ signal }) => answerOf(files.GET('/api/counts', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Page title={t('files.title')}>
      <OpenForm
        label={t('files.sku')}
        button={t('files.open')}
        onOpen={(reference) => void navigate({ to: '/files/$reference', params: { reference } })}
      />
      <p className="muted">{t('files.hint')}</p>
      {act && <SendFile tenant={tenant} />}
      <Answer query={query} app="file-gateway">
        {({ uploads, openCommands }) => {
          const open = openCommands.filter((each) => each.open > 0);
          return (
            <div className="columns">
              <Card title={t('files.uploads')}>
                {uploads.length === 0 && <Empty>{t('files.uploadsNone')}</Empty>}
                <Facts
                  of={uploads.map((each) => [
                    named(`files.uploadState.${each.state}`, each.state),
                    `${count(each.uploads, i18n.language)} · ${bytes(each.bytes, i18n.language)}`,
                  ])}
                />
              </Card>
              <Card title={t('files.commands')}>
                {open.length === 0 && <Empty>{t('files.commandsNone')}</Empty>}
                <Facts
                  of={open.map((each) => [
                    named(`files.command.${each.command}`, each.command),
                    count(each.open, i18n.language),
                  ])}
                />
              </Card>
            </div>
          );
        }}
      </Answer>
    </Page>
  );
}
