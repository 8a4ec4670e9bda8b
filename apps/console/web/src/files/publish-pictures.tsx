import { IMAGE_MEDIA_TYPES } from '@gondola/shared/files/media-types';
import { Card } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CommandResult } from './command-result.tsx';
import { DropZone } from './drop-zone.tsx';
import { giveCommand } from './file-commands.ts';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

/** Pictures of a SKU from the operator's machine to the shop, in the order in which they were dropped. */
export function PublishPictures({ tenant, reference }: { tenant: string; reference: string }): ReactNode {
  const { t } = useTranslation();
  const uploads = useUploads(tenant);
  const [replaces, setReplaces] = useState(false);
  const [given, setGiven] = useState<string | null>(null);
  const stored = uploads.all.flatMap((each) => (each.state === 'stored' ? [each.upload] : []));
  const isSending = uploads.all.some(({ state }) => state === 'sending');
  const publish = async () => {
    const images = stored.map(({ uploadId }, index) => ({ order: index + 1, content: { uploadId } }));
    const command = { command: 'PublishSkuImages', skuExternalReference: reference, images, replace: replaces };
    setGiven(await giveCommand(tenant, command));
  };
  return (
    <Card title={t('files.send')}>
      <DropZone accepted={IMAGE_MEDIA_TYPES} onFiles={(files) => void uploads.add(files)} />
      <UploadList uploads={uploads} />
      {stored.length > 0 && (
        <div className="actions">
          <label className="check">
            <input type="checkbox" checked={replaces} onChange={({ target }) => setReplaces(target.checked)} />
            {t('files.replace')}
          </label>
          <Confirm
            label={t('files.publish')}
            title={t('files.publishTitle', { count: stored.length, reference })}
            disabled={isSending}
            dangerous={replaces}
            run={publish}
            onDone={uploads.clear}
          >
            <p>{t('files.publishWhat')}</p>
            <p>{t(replaces ? 'files.replaceWhat' : 'files.keepsWhat')}</p>
          </Confirm>
        </div>
      )}
      {given !== null && <CommandResult key={given} tenant={tenant} commandId={given} />}
    </Card>
  );
}
