import { money, quantity } from '@gondola/web-kit/format/amounts';
import { useNamed } from '@gondola/web-kit/texts/named';
import { useTranslation } from 'react-i18next';

const GRAMS = 1_000;

interface Values {
  readonly price: (value: number) => string;
  /** A quantity in its unit; less than a kilogram in grams. */
  readonly amount: (value: number, unit: string) => string;
  readonly status: (code: number) => string;
}

/** Values in the words of the reader. */
export function useValues(): Values {
  const { i18n } = useTranslation();
  const named = useNamed();
  return {
    price: (value) => money(value.toFixed(2), i18n.language) ?? '',
    amount: (value, unit) => {
      const isGrams = unit === 'Kg' && value > 0 && value < 1;
      return isGrams ? quantity(value * GRAMS, 'g', i18n.language) : quantity(value, unit, i18n.language);
    },
    status: (code) => `${code} · ${named(`status.${code}`, '')}`.replace(/ · $/, ''),
  };
}
