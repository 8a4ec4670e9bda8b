import { Disclosure, DisclosureContent, DisclosureProvider } from '@ariakit/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Session, sessionQuery, signOut } from '../api/session.ts';
import { refusalOf, removeFragment, secretOf } from '../sign-in/link-secret.ts';
import { SignIn } from '../sign-in/sign-in.tsx';
import { chooseLanguage } from '../texts/i18n.ts';
import { LANGUAGES, type Language } from '../texts/language.ts';
import { Problem } from '../ui/problem.tsx';
import { useTenant } from './tenant.ts';
import styles from './shell.module.css';

const PAGES = [
  { to: '/', text: 'shell.today' },
  { to: '/attention', text: 'nav.attention' },
  { to: '/orders', text: 'shell.orders' },
  { to: '/products', text: 'shell.products' },
  { to: '/loads', text: 'nav.loads' },
  { to: '/try', text: 'nav.try' },
  { to: '/notifications', text: 'nav.notifications' },
  { to: '/webhook', text: 'nav.webhook' },
  { to: '/files', text: 'nav.files' },
  { to: '/recovery', text: 'nav.recovery' },
  { to: '/privacy', text: 'nav.privacy' },
  { to: '/operators', text: 'nav.operators' },
] as const;

/** The frame of all pages. Nobody sees it, or calls anything, before the session is known. */
export function Shell(): ReactNode {
  const { data, error, refetch } = useQuery(sessionQuery);
  const { t } = useTranslation();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (data?.kind === 'signed-in') wasSignedIn.current = true;
  }, [data]);
  if (data === undefined) {
    return (
      <main className={styles['alone']}>
        {error === null ? (
          <p className="muted">{t('shell.loading')}</p>
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )}
      </main>
    );
  }
  if (data.kind === 'signed-out') return <SignIn methods={data.methods} hasEnded={wasSignedIn.current} />;
  return <Frame session={data} />;
}

function Frame({ session }: { session: Session }): ReactNode {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A link that somebody opens who is signed in already.
  useEffect(() => {
    if (secretOf(location.hash) !== null || refusalOf(location.hash) !== null) removeFragment();
  }, []);
  // A new page is announced and read from its top, as a new document would be.
  useEffect(() => {
    setOpen(false);
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus();
  }, [path]);
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#content">
        {t('shell.skip')}
      </a>
      <DisclosureProvider open={open} setOpen={setOpen}>
        <header className={styles['bar']}>
          <Link to="/" className={styles['brand']}>
            <img src="/icon.svg" alt="" width="28" height="28" />
            {t('shell.title')}
          </Link>
          <Disclosure className={styles['menu']}>{t('shell.menu')}</Disclosure>
        </header>
        <DisclosureContent className={styles['side']} alwaysVisible data-open={open}>
          <nav aria-label={t('shell.navigation')}>
            {PAGES.map(({ to, text }) => (
              <Link key={to} to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
                {t(text)}
              </Link>
            ))}
          </nav>
          <Operator session={session} />
        </DisclosureContent>
      </DisclosureProvider>
      <main id="content" ref={main} tabIndex={-1} className={styles['content']}>
        <Outlet />
      </main>
    </div>
  );
}

function Operator({ session }: { session: Session }): ReactNode {
  const { t, i18n } = useTranslation();
  const tenant = useTenant();
  const navigate = useNavigate();
  const client = useQueryClient();
  const leaving = useMutation({
    mutationFn: signOut,
    onSettled: () => {
      client.clear();
      location.assign('/');
    },
  });
  return (
    <div className={styles['operator']}>
      {session.tenants.length > 1 && (
        <label>
          {t('shell.shop')}
          <select
            value={tenant.id}
            onChange={({ target }) => void navigate({ to: '.', search: (now) => ({ ...now, shop: target.value }) })}
          >
            {session.tenants.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        {t('shell.language')}
        <select value={i18n.language} onChange={({ target }) => void chooseLanguage(target.value as Language)}>
          {LANGUAGES.map((language) => (
            <option key={language} value={language} lang={language}>
              {language === 'en' ? 'English' : 'Português'}
            </option>
          ))}
        </select>
      </label>
      <p className="muted">
        <bdi>{t('shell.signedInAs', { name: session.operator.name })}</bdi>
        {!tenant.act && <span className="tag">{t('shell.seeOnly')}</span>}
      </p>
      <button type="button" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        {t('shell.signOut')}
      </button>
    </div>
  );
}
