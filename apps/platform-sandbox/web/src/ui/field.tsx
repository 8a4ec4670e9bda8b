import type { InputHTMLAttributes, ReactNode } from 'react';

interface Written extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: ReactNode;
  value: string;
  onChange: (text: string) => void;
}

export function TextField({ label, onChange, ...input }: Written): ReactNode {
  return (
    <label>
      {label}
      <input {...input} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

interface Chosen {
  label: ReactNode;
  value: string;
  options: ReadonlyArray<readonly [value: string | number, text: string]>;
  onChange: (value: string) => void;
}

export function SelectField({ label, value, options, onChange }: Chosen): ReactNode {
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Fields that narrow a list down while they are filled in. */
export function Filters({ children }: { children: ReactNode }): ReactNode {
  return (
    <form role="search" className="filters" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}
