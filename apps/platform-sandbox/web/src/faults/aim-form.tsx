import { Card } from '@gondola/web-kit/ui/card';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../ui/field.tsx';

/** How many calls or notifications the next fault strikes, and which; each as it is written in its field. */
export interface Aim {
  readonly orderNumber: string;
  readonly product: string;
  readonly times: string;
  readonly share: string;
}

export const NO_AIM: Aim = { orderNumber: '', product: '', times: '', share: '' };
const PERCENT = 100;
const FIELDS = [
  { name: 'orderNumber', mode: 'numeric' },
  { name: 'product', mode: 'text' },
  { name: 'times', mode: 'numeric' },
  { name: 'share', mode: 'numeric' },
] as const;

export function AimForm({ aim, onChange }: { aim: Aim; onChange: (aim: Aim) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Card title={t('faults.aim')}>
      <p className="muted">{t('faults.aimHow')}</p>
      <div className="filters">
        {FIELDS.map(({ name, mode }) => (
          <TextField
            key={name}
            inputMode={mode}
            placeholder={t(`faults.${name}All`)}
            label={t(`faults.${name}`)}
            value={aim[name]}
            onChange={(text) => onChange({ ...aim, [name]: text })}
          />
        ))}
      </div>
    </Card>
  );
}

/** Options of a fault of the admin API; what is not filled in is left out. */
export function aimOf({ orderNumber, product, times, share }: Aim): object {
  return {
    ...(orderNumber.trim() !== '' && { orderNumber: Number(orderNumber) }),
    ...(product.trim() !== '' && { product: product.trim() }),
    ...(times.trim() !== '' && { times: Number(times) }),
    ...(share.trim() !== '' && { share: Number(share) / PERCENT }),
  };
}
