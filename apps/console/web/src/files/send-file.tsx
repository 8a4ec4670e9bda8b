import { MEDIA_TYPES } from '@gondola/shared/files/media-types';
import { Card } from '@gondola/web-kit/ui/card';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DropZone } from './drop-zone.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

/** A picture or PDF from the operator's machine, stored under an id that a command of the ERP names. */
export function SendFile({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const uploads = useUploads(tenant);
  return (
    <Card title={t('files.sendAny')}>
      <p className="muted">{t('files.sendAnyWhat')}</p>
      <DropZone accepted={MEDIA_TYPES} onFiles={(files) => void uploads.add(files)} />
      <UploadList uploads={uploads}>
        {({ upload: { uploadId, mediaType, expiresAt } }) => (
          <>
            <p>
              uploadId <code>{uploadId}</code>{' '}
              <span className="muted">
                · {t('files.expires')} <Moment at={expiresAt} />
              </span>
            </p>
            <p className="muted">{mediaType === 'application/pdf' ? t('files.usePdf') : t('files.useImage')}</p>
          </>
        )}
      </UploadList>
    </Card>
  );
}
