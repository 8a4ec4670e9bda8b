import { ApiProblem } from '@gondola/web-kit/api/api-problem';
import { call } from '@gondola/web-kit/api/call';
import { Alone, Frame } from '@gondola/web-kit/shell/frame';
import { LanguageSelect } from '@gondola/web-kit/shell/language-select';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { storeToken, withToken } from '../api/sandbox.ts';
import type { Overview } from '../api/types.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { useShop } from './shop.ts';

const PAGES = [
  { to: '/', text: 'nav.shelf' },
  { to: '/orders', text: 'nav.orders' },
  { to: '/sent', text: 'nav.sent' },
  { to: '/calls', text: 'nav.calls' },
  { to: '/faults', text: 'nav.faults' },
  { to: '/behaviour', text: 'nav.behaviour' },
  { to: '/settings', text: 'nav.settings' },
] as const;

/** The frame of all pages, once the sandbox answers this browser. */
export function Shell(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['session'],
    queryFn: ({ signal }) => call<Overview>('/admin/overview', withToken({ signal })),
  });
  const isRefused = error instanceof ApiProblem && (error.status === 401 || error.status === 403);
  if (isRefused) return <AskToken sentence={error.message} />;
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
  return (
    <Frame pages={PAGES.map(({ to, text }) => ({ to, text: t(text) }))}>
      <Foot overview={data} isAway={error !== null} />
    </Frame>
  );
}

function AskToken({ sentence }: { sentence: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [token, setToken] = useState('');
  const enter = (event: FormEvent) => {
    event.preventDefault();
    storeToken(token.trim());
    void client.resetQueries();
  };
  return (
    <Alone>
      <form className="card" onSubmit={enter}>
        <h1>{t('token.title')}</h1>
        <p>{t('token.why')}</p>
        <p className="muted" role="status">
          <bdi>{sentence}</bdi>
        </p>
        <TextField
          type="password"
          autoComplete="off"
          required
          label={t('token.label')}
          value={token}
          onChange={setToken}
        />
        <button type="submit" className="primary">
          {t('token.enter')}
        </button>
      </form>
    </Alone>
  );
}

function Foot({ overview, isAway }: { overview: Overview; isAway: boolean }): ReactNode {
  const { t } = useTranslation();
  const { shop, shops = [] } = useShop();
  const navigate = useNavigate();
  return (
    <>
      {isAway && (
        <p className="tag attention" role="alert">
          {t('problem.SERVER_AWAY')}
        </p>
      )}
      {overview.paused && (
        <Link to="/sent" className="tag attention">
          {t('sent.paused')}
        </Link>
      )}
      {overview.faults > 0 && (
        <Link to="/faults" className="tag attention">
          {t('faults.active', { count: overview.faults })}
        </Link>
      )}
      {overview.clockOffsetMs !== 0 && (
        <Link to="/settings" className="tag attention">
          {t('clock.short')} <Moment at={overview.now} />
        </Link>
      )}
      {shops.length > 1 && (
        <SelectField
          label={t('shell.shop')}
          value={shop?.contractAccountId ?? ''}
          options={shops.map(({ contractAccountId: id }) => [id, id])}
          onChange={(id) => void navigate({ to: '.', search: (now) => ({ ...now, shop: id }) })}
        />
      )}
      <LanguageSelect />
      <a href="/docs">{t('shell.docs')}</a>
      <p className="muted">
        {overview.version} · {t(`shell.${overview.storage}`)}
      </p>
    </>
  );
}
