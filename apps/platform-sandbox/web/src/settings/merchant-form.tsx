import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useAction } from '../api/sandbox.ts';
import { Refused } from '../ui/act.tsx';
import { TextField } from '../ui/field.tsx';

const FIELDS = ['contractAccountId', 'username', 'password', 'apiKey'] as const;

/** A merchant with an empty shop, and the credentials of its ERP. */
export function MerchantForm(): ReactNode {
  const { t } = useTranslation();
  const [merchant, setMerchant] = useState(() => ({
    contractAccountId: newId(),
    username: 'erp',
    password: 'erp',
    apiKey: 'key',
  }));
  const creating = useAction(() => send('/admin/tenants', merchant));
  const create = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <>
      <form className="filters" onSubmit={create}>
        {FIELDS.map((name) => (
          <TextField
            key={name}
            required
            size={name === 'contractAccountId' ? 36 : 14}
            label={t(`merchant.${name}`)}
            value={merchant[name]}
            onChange={(text) => setMerchant({ ...merchant, [name]: text })}
          />
        ))}
        <button type="submit" disabled={creating.isPending}>
          {t('merchant.create')}
        </button>
      </form>
      <Refused error={creating.error} />
    </>
  );
}

/** A random UUID; `crypto.randomUUID` is absent where the page comes without https from another machine. */
function newId(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
