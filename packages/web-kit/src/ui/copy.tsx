import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Copies a text that stands beside it; a browser that does not allow it leaves it to be copied by hand. */
export function Copy({ text, label }: { text: string; label: string }): ReactNode {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('notCopied');
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      {outcome !== null && (
        <span role="status" className="muted">
          {t(`text.${outcome}`)}
        </span>
      )}
    </>
  );
}
