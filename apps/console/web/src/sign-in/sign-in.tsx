import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { useSentence } from '@gondola/web-kit/ui/problem';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SignInMethod, signInByLink, signInByPassword } from '../api/session.ts';
import { refusalOf, removeFragment, secretOf } from './link-secret.ts';
import styles from './sign-in.module.css';

/** Asks who is there, in the ways that the server has. The address stays, so that the page is there afterwards. */
export function SignIn({ methods, hasEnded }: { methods: readonly SignInMethod[]; hasEnded: boolean }): ReactNode {
  const { t } = useTranslation();
  const refusal = refusalOf(location.hash);
  useEffect(() => {
    document.title = t('signIn.title');
  }, [t]);
  return (
    <main className={styles['page']}>
      <img src="/icon.svg" alt="" width="48" height="48" />
      <h1>{t('signIn.title')}</h1>
      {hasEnded && <p role="status">{t('signIn.ended')}</p>}
      {refusal !== null && (
        <p className="problem" role="alert">
          {refusal === 'failed' ? t('signIn.failed') : t('signIn.noRights')}
        </p>
      )}
      {methods.includes('oidc') && (
        <a className={`button primary ${styles['wide']}`} href="/session/oidc">
          {t('signIn.oidc')}
        </a>
      )}
      {methods.includes('password') && <PasswordForm />}
      {methods.includes('link') && <LinkSignIn />}
      {methods.length === 0 && <p>{t('signIn.none')}</p>}
    </main>
  );
}

function PasswordForm(): ReactNode {
  const { t } = useTranslation();
  const sentence = useSentence();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const entering = useMutation({
    mutationFn: () => signInByPassword(name, password),
    onSuccess: () => client.invalidateQueries({ queryKey: ['session'] }),
    onError: () => setPassword(''),
  });
  const enter = (event: FormEvent) => {
    event.preventDefault();
    entering.mutate();
  };
  const { error } = entering;
  const status = error instanceof ApiProblem ? error.status : 0;
  return (
    <form className={styles['form']} onSubmit={enter}>
      <label>
        {t('signIn.name')}
        <input required autoComplete="username" value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        {t('signIn.password')}
        <input
          required
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </label>
      {error !== null && (
        <p className="problem" role="alert">
          {status === 401 ? t('signIn.wrong') : status === 429 ? t('signIn.tooMany') : <bdi>{sentence(error)}</bdi>}
        </p>
      )}
      <button type="submit" className="primary" disabled={entering.isPending}>
        {entering.isPending ? t('signIn.entering') : t('signIn.enter')}
      </button>
    </form>
  );
}

/** Uses the secret of the address's fragment, which no server and no log has seen, once. */
function LinkSignIn(): ReactNode {
  const { t } = useTranslation();
  const sentence = useSentence();
  const client = useQueryClient();
  const [secret] = useState(() => secretOf(location.hash));
  const isTried = useRef(false);
  const entering = useMutation({
    mutationFn: signInByLink,
    onSuccess: () => client.invalidateQueries({ queryKey: ['session'] }),
  });
  const { mutate, error } = entering;
  useEffect(() => {
    if (secret === null || isTried.current) return;
    isTried.current = true;
    removeFragment();
    mutate(secret);
  }, [secret, mutate]);
  if (entering.isPending) return <p role="status">{t('signIn.entering')}</p>;
  if (error === null) return <p className="muted">{t('signIn.link')}</p>;
  const isUsed = error instanceof ApiProblem && error.status === 401;
  return (
    <p className="problem" role="alert">
      {isUsed ? t('signIn.linkUsed') : <bdi>{sentence(error)}</bdi>}
    </p>
  );
}
