import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, files } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { carryOut, giveCommand, type Listed } from './file-commands.ts';
import { PublishPictures } from './publish-pictures.tsx';
import { OpenFileCommands } from './open-file-commands.tsx';

/** Pictures of a SKU as the shop shows them, and the commands about them that are under way. */
export function SkuPicturesPage(): ReactNode {
  const { t } = useTranslation();
  const { reference } = useParams({ from: '/files/$reference' });
  const { id: tenant, act } = useTenant();
  return (
    <Page title={t('files.one', { reference })}>
      {act && <Pictures key={reference} tenant={tenant} reference={reference} />}
      {act && <PublishPictures key={`new ${reference}`} tenant={tenant} reference={reference} />}
      <Open tenant={tenant} reference={reference} />
    </Page>
  );
}

interface OfSku {
  tenant: string;
  reference: string;
}

/** The platform is asked by a command, as the ERP would ask it, so only an operator who may act sees its answer. */
function Pictures({ tenant, reference }: OfSku): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const [isRemoved, setIsRemoved] = useState(false);
  const of = { externalReference: reference, fileType: 'SKU' };
  const listing = useMutation({
    mutationFn: (): Promise<Listed> => carryOut(tenant, { command: 'ListFiles', ...of }),
    onMutate: () => setIsRemoved(false),
  });
  const remove = (url: string) => giveCommand(tenant, { command: 'RemoveFiles', ...of, urls: [url] });
  const listed = listing.data;
  return (
    <Card
      title={t('files.pictures')}
      aside={
        <button type="button" disabled={listing.isPending} onClick={() => listing.mutate()}>
          {listing.isPending ? t('files.listing') : t('files.list')}
        </button>
      }
    >
      {listing.error !== null && <Problem error={listing.error} app="file-gateway" />}
      {isRemoved && (
        <p className="note" role="status">
          {t('files.removed')}
        </p>
      )}
      {listed?.urls === null && (
        <p className="problem">{t('files.notListed', { outcome: word('outcome', listed.outcome) })}</p>
      )}
      {listed?.urls?.length === 0 && <Empty>{t('files.picturesNone')}</Empty>}
      <ol>
        {listed?.urls?.map((url, index) => (
          <li key={url}>
            <p>
              <strong>{index + 1}</strong> {index === 0 && <span className="tag good">{t('files.main')}</span>}{' '}
              <Text value={url} longest={500} />
            </p>
            <Confirm
              dangerous
              label={t('files.remove')}
              title={t('files.removeTitle')}
              run={() => remove(url)}
              onDone={() => setIsRemoved(true)}
            >
              <p>
                <Text value={url} longest={500} />
              </p>
              <p>{t('files.removeWhat')}</p>
            </Confirm>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Open({ tenant, reference }: OfSku): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['sku-images', tenant, reference],
    queryFn: ({ signal }) =>
      answerOf(
        files.GET('/api/skus/{externalReference}/images', {
          signal,
          params: { path: { externalReference: reference }, query: { tenant } },
        }),
      ),
    enabled: tenant !== '',
  });
  const isUnknown = query.error instanceof ApiProblem && query.error.status === 404;
  const commands = query.data?.openCommands ?? [];
  return (
    <Card title={t('files.commands')}>
      {query.error !== null && !isUnknown && <Problem error={query.error} app="file-gateway" />}
      {(isUnknown || query.data !== undefined) && commands.length === 0 && <Empty>{t('files.openNone')}</Empty>}
      <OpenFileCommands commands={commands} />
    </Card>
  );
}
