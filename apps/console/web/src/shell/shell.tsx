import { Alone, Frame } from '@gondola/web-kit/shell/frame';
import { LanguageSelect } from '@gondola/web-kit/shell/language-select';
import { Problem } from '@gondola/web-kit/ui/problem';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Session, sessionQuery, signOut } from '../api/session.ts';
import { refusalOf, removeFragment, secretOf } from '../sign-in/link-secret.ts';
import { SignIn } from '../sign-in/sign-in.tsx';
import { useTenant } from './tenant.ts';

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
  { to: '/shadow', text: 'nav.shadow' },
  { to: '/replays', text: 'nav.replays' },
  { to: '/audit', text: 'nav.audit' },
  { to: '/privacy', text: 'nav.privacy' },
  { to: '/operators', text: 'nav.operators' },
  { to: '/signed-in', text: 'nav.sessions' },
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
      <Alone>
        {error === null ? (
          <p className="muted">{t('frame.loading')}</p>
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )}
      </Alone>
    );
  }
  if (data.kind === 'signed-out') return <SignIn methods={data.methods} hasEnded={wasSignedIn.current} />;
  return <SignedIn session={data} />;
}

/** The pages of who has signed in, perhaps just now by a link that is not to stay in the address. */
function SignedIn({ session }: { session: Session }): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    if (secretOf(location.hash) !== null || refusalOf(location.hash) !== null) removeFragment();
  }, []);
  return (
    <Frame pages={PAGES.map(({ to, text }) => ({ to, text: t(text) }))}>
      <Operator session={session} />
    </Frame>
  );
}

function Operator({ session }: { session: Session }): ReactNode {
  const { t } = useTranslation();
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
    <>
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
      <LanguageSelect />
      <p className="muted">
        <bdi>{t('shell.signedInAs', { name: session.operator.name })}</bdi>
        {!tenant.act && <span className="tag">{t('shell.seeOnly')}</span>}
      </p>
      <button type="button" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        {t('shell.signOut')}
      </button>
    </>
  );
}
