import { Disclosure, DisclosureContent, DisclosureProvider } from '@ariakit/react';
import { Link, type LinkProps, Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './frame.module.css';

interface Framed {
  pages: ReadonlyArray<{ readonly to: NonNullable<LinkProps['to']>; readonly text: string }>;
  /** Below the links to the pages. */
  children: ReactNode;
}

/** Frame of every page: the menu beside it, on a phone above it. */
export function Frame({ pages, children }: Framed): ReactNode {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page is announced and read from its top, as a new document would be.
  useEffect(() => {
    setOpen(false);
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
  }, [path]);
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#content">
        {t('frame.skip')}
      </a>
      <DisclosureProvider open={open} setOpen={setOpen}>
        <header className={styles['bar']}>
          <Link to="/" className={styles['brand']}>
            <img src="/icon.svg" alt="" width="28" height="28" />
            {t('appName')}
          </Link>
          <Disclosure className={styles['menu']}>{t('frame.menu')}</Disclosure>
        </header>
        <DisclosureContent className={styles['side']} alwaysVisible data-open={open}>
          <nav aria-label={t('frame.navigation')}>
            {pages.map(({ to, text }) => (
              <Link key={to} to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
                {text}
              </Link>
            ))}
          </nav>
          <div className={styles['foot']}>{children}</div>
        </DisclosureContent>
      </DisclosureProvider>
      <main id="content" ref={main} tabIndex={-1} className={styles['content']}>
        <Outlet />
      </main>
    </div>
  );
}

/** One thing in the middle of the window, before there is a page. */
export function Alone({ children }: { children: ReactNode }): ReactNode {
  return <main className={styles['alone']}>{children}</main>;
}
