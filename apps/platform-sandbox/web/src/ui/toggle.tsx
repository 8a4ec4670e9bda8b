import type { ReactNode } from 'react';
import styles from './toggle.module.css';

interface Toggled {
  label: ReactNode;
  isOn: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** Something that is on or off at once, without a button to save it. */
export function Toggle({ label, isOn, disabled = false, onChange }: Toggled): ReactNode {
  return (
    <label className={`check ${styles['toggle']}`}>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
