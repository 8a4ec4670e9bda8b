import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../api/session.ts';
import { STATUSES_PT } from '../texts/words-pt-br.ts';
import { useWords } from '../texts/words.ts';
import type { OrderFilter } from './order-filter.ts';

/** 1300 is no status of an order. */
const STATUSES = Object.keys(STATUSES_PT).filter((code) => code !== '1300');
const NUMBER = /^\d{1,15}$/;

/** Filters of the list, which stand in the address. Enter in the number's field opens the order of that number. */
export function Filters(): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const {
    number = '',
    status = '',
    attention = false,
    givenUp = false,
    from = '',
    to = '',
    everyShop = false,
  } = useSearch({
    from: '/orders',
  });
  const navigate = useNavigate({ from: '/orders' });
  const { data } = useQuery(sessionQuery);
  const [isWrong, setIsWrong] = useState(false);
  const hasShops = data?.kind === 'signed-in' && data.tenants.length > 1;
  const choose = <Name extends keyof OrderFilter>(name: Name, value: OrderFilter[Name] | '' | false) =>
    void navigate({
      replace: true,
      search: ({ [name]: _before, ...rest }) => ({
        ...rest,
        ...(value !== '' && value !== false && { [name]: value }),
      }),
    });
  const typeNumber = (text: string) => {
    setIsWrong(text !== '' && !NUMBER.test(text));
    if (text === '' || NUMBER.test(text)) choose('number', text);
  };
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (number !== '') void navigate({ to: '/orders/$number', params: { number } });
  };
  return (
    <form className="filters" role="search" onSubmit={open}>
      <label>
        {t('orders.number')}
        <input
          type="search"
          inputMode="numeric"
          defaultValue={number}
          aria-invalid={isWrong}
          onChange={({ target }) => typeNumber(target.value.trim())}
        />
      </label>
      <button type="submit" disabled={number === ''}>
        {t('orders.go')}
      </button>
      <label>
        {t('orders.status')}
        <select value={status} onChange={({ target }) => choose('status', target.value)}>
          <option value="">{t('list.all')}</option>
          {STATUSES.map((code) => (
            <option key={code} value={code}>
              {word('status', code)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('orders.from')}
        <input type="date" value={from} max={to} onChange={({ target }) => choose('from', target.value)} />
      </label>
      <label>
        {t('orders.to')}
        <input type="date" value={to} min={from} onChange={({ target }) => choose('to', target.value)} />
      </label>
      <label className="check">
        <input type="checkbox" checked={attention} onChange={({ target }) => choose('attention', target.checked)} />
        {t('orders.attentionOnly')}
      </label>
      <label className="check">
        <input type="checkbox" checked={givenUp} onChange={({ target }) => choose('givenUp', target.checked)} />
        {t('orders.givenUpOnly')}
      </label>
      {hasShops && (
        <label className="check">
          <input type="checkbox" checked={everyShop} onChange={({ target }) => choose('everyShop', target.checked)} />
          {t('orders.everyShop')}
        </label>
      )}
      {isWrong && <p role="alert">{t('orders.notANumber')}</p>}
    </form>
  );
}
