import { Confirm } from '@gondola/web-kit/ui/confirm';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NoteField } from './note-field.tsx';

interface Discarded {
  run: (note: string) => Promise<unknown>;
  onDone: () => void;
}

/** Discards one row, with the reason. */
export function Discard({ run, onDone }: Discarded): ReactNode {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  return (
    <Confirm
      dangerous
      label={t('needs.discard')}
      title={t('needs.confirmOne.discard')}
      run={() => run(note.trim())}
      onDone={onDone}
      mayRun={note.trim() !== ''}
    >
      <p>{t('needs.what.discard')}</p>
      <NoteField note={note} onChange={setNote} />
    </Confirm>
  );
}
