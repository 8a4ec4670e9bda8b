import { type FormEvent, type ReactNode, useState } from 'react';

interface Opened {
  label: string;
  button: string;
  onOpen: (text: string) => void;
  numeric?: boolean;
  /** Sentence about a text that cannot be opened. */
  wrong?: (text: string) => string | null;
}

/** A field with a button, for what has a name and is at hand. */
export function OpenForm({ label, button, onOpen, numeric = false, wrong }: Opened): ReactNode {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    const found = wrong?.(wanted) ?? null;
    setProblem(found);
    if (wanted !== '' && found === null) onOpen(wanted);
  };
  return (
    <form className="filters" onSubmit={open} role="search">
      <label>
        {label}
        <input
          inputMode={numeric ? 'numeric' : undefined}
          value={text}
          aria-invalid={problem !== null}
          onChange={({ target }) => {
            setText(target.value);
            setProblem(null);
          }}
        />
      </label>
      <button type="submit">{button}</button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}
