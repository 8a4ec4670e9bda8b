import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './files.module.css';

interface Dropped {
  /** Media types that are taken. */
  accepted: readonly string[];
  onFiles: (files: readonly File[]) => void;
}

/** A place to drop files at, which is also a button to choose them. A file of another type is named and left out. */
export function DropZone({ accepted, onFiles }: Dropped): ReactNode {
  const { t } = useTranslation();
  const [isOver, setIsOver] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    const taken = files.filter(({ type }) => accepted.includes(type));
    setRefused(files.filter((file) => !taken.includes(file)).map(({ name }) => name));
    if (taken.length > 0) onFiles(taken);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <>
      <label
        className={styles['drop']}
        data-over={isOver}
        onDragOver={over}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {t('files.drop')}
        <span className="button">{t('files.choose')}</span>
        <input
          type="file"
          multiple
          accept={accepted.join(',')}
          onChange={({ target }) => {
            take(target.files);
            target.value = '';
          }}
        />
      </label>
      {refused.map((name) => (
        <p key={name} className="problem" role="alert">
          <bdi>{t('files.wrongType', { name: name.slice(0, 200) })}</bdi>
        </p>
      ))}
    </>
  );
}
