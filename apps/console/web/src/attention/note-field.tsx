import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const LONGEST = 500;

/** The reason for discarding something. */
export function NoteField({ note, onChange }: { note: string; onChange: (note: string) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <label>
      {t('needs.note')}
      <input required maxLength={LONGEST} value={note} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}
