import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { bytes } from '@gondola/web-kit/format/amounts';
import { useSentence } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Uploading, Uploads } from './use-uploads.ts';
import styles from './files.module.css';

interface Shown {
  uploads: Uploads;
  /** More about a file that is stored. */
  children?: (uploading: Extract<Uploading, { state: 'stored' }>) => ReactNode;
}

/** Chosen files, how far each is sent, and why one could not be stored. */
export function UploadList({ uploads, children }: Shown): ReactNode {
  const { t, i18n } = useTranslation();
  return (
    <ol className={styles['uploads']}>
      {uploads.all.map((uploading) => {
        const { key, name, size } = uploading;
        return (
          <li key={key}>
            <div>
              <p>
                <Text value={name} longest={200} /> <span className="muted">{bytes(size, i18n.language)}</span>
                {uploading.state === 'stored' && <span className="tag good">{t('files.stored')}</span>}
              </p>
              {uploading.state === 'sending' && (
                <progress value={uploading.share} aria-label={t('files.sending', { name: name.slice(0, 200) })} />
              )}
              {uploading.state === 'failed' && <Failed error={uploading.error} />}
              {uploading.state === 'stored' && children?.(uploading)}
            </div>
            {uploading.state !== 'sending' && (
              <button
                type="button"
                aria-label={t('files.forgetNamed', { name: name.slice(0, 200) })}
                onClick={() => uploads.remove(key)}
              >
                {t('files.forget')}
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Failed({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const sentence = useSentence();
  const status = error instanceof ApiProblem ? error.status : 0;
  const said = () => {
    if (status === 413) return t('files.tooLarge');
    if (status === 507) return t('files.noRoom');
    // The app says in the language of the shop what it would take.
    if (status === 415 && error instanceof ApiProblem) return error.message;
    return sentence(error, 'file-gateway');
  };
  return (
    <p className="problem" role="alert">
      <bdi>{said()}</bdi>
    </p>
  );
}
