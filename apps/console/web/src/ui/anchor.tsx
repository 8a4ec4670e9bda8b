import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './cause-box.module.css';

/** A place of the page that an address leads to, also if it is there only once an app has answered. */
export function Anchor({ place, children }: { place: string; children: ReactNode }): ReactNode {
  const wanted = useRouterState({ select: ({ location }) => location.hash });
  const element = useRef<HTMLDivElement>(null);
  const isWanted = wanted === place;
  useEffect(() => {
    if (isWanted) element.current?.scrollIntoView({ block: 'start' });
  }, [isWanted]);
  return (
    <div ref={element} id={place} className={styles['place']} data-wanted={isWanted}>
      {children}
    </div>
  );
}
