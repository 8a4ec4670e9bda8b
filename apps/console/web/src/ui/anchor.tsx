import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './cause-box.module.css';

/** Signs that the reader goes elsewhere. */
const MOVES = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * A place of the page that an address leads to. Answers that come later change the page above it, so it is kept in
 * view until the reader moves.
 */
export function Anchor({ place, children }: { place: string; children: ReactNode }): ReactNode {
  const isWanted = useRouterState({ select: ({ location }) => location.hash === place });
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const moved = new AbortController();
    const changes = new ResizeObserver(() => element.current?.scrollIntoView({ block: 'start' }));
    changes.observe(document.body);
    moved.signal.addEventListener('abort', () => changes.disconnect());
    for (const move of MOVES) window.addEventListener(move, () => moved.abort(), { signal: moved.signal });
    return () => moved.abort();
  }, [isWanted]);
  return (
    <div ref={element} id={place} className={styles['place']} data-wanted={isWanted}>
      {children}
    </div>
  );
}
