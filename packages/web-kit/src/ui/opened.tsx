import { type ReactNode, useState } from 'react';

/** A part that is read only once somebody opens it. */
export function Opened({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  );
}
