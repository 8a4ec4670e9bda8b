import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, useAction } from '../api/sandbox.ts';
import type { Seeded } from '../api/types.ts';
import { Refused } from '../ui/act.tsx';
import { TextField } from '../ui/field.tsx';

const FIELDS = ['products', 'orders', 'seed'] as const;

/** Fills a shop, that of a new merchant if there is none. */
export function SeedForm({ contractAccountId }: { contractAccountId?: string }): ReactNode {
  const { t } = useTranslation();
  const [size, setSize] = useState({ products: '50', orders: '10', seed: '1' });
  const seeding = useAction(() =>
    send<Seeded>('/admin/seed', {
      ...(contractAccountId !== undefined && { contractAccountId }),
      products: Number(size.products),
      orders: Number(size.orders),
      seed: Number(size.seed),
    }),
  );
  const seed = (event: FormEvent) => {
    event.preventDefault();
    seeding.mutate();
  };
  return (
    <>
      <form className="filters" onSubmit={seed}>
        {FIELDS.map((name) => (
          <TextField
            key={name}
            type="number"
            min={name === 'products' ? 1 : 0}
            required
            label={t(`seed.${name}`)}
            value={size[name]}
            onChange={(text) => setSize({ ...size, [name]: text })}
          />
        ))}
        <button type="submit" className="primary" disabled={seeding.isPending}>
          {t(seeding.isPending ? 'dialog.working' : 'seed.fill')}
        </button>
      </form>
      {seeding.data !== undefined && (
        <p className="note" role="status">
          {t('seed.done', { products: seeding.data.products, orders: seeding.data.orders.count })}
        </p>
      )}
      <Refused error={seeding.error} />
    </>
  );
}
