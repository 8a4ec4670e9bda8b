import { type ReactNode, useId } from 'react';

/** A titled part of a page. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Says that there is nothing, and what to do so that there is. */
export function Empty({ children }: { children: ReactNode }): ReactNode {
  return <p className="empty">{children}</p>;
}

/** Names and values, one below the other. */
export function Facts({ of }: { of: ReadonlyArray<readonly [name: string, value: ReactNode]> }): ReactNode {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
