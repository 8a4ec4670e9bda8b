/** Money of the shop, which is always in reais; `text` is the decimal text of the contract, or null. */
export function money(text: string | null | undefined, language: string): string | null {
  if (text === null || text === undefined || !/^-?\d+(\.\d+)?$/.test(text)) return text ?? null;
  // A text is formatted digit by digit, a number would be rounded.
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(text as `${number}`);
}

export function count(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A quantity with its unit; a decimal text keeps its digits. */
export function quantity(value: number | string, unit: string | null, language: string): string {
  const formatted = new Intl.NumberFormat(language, { maximumFractionDigits: 6 }).format(value as number);
  return unit === null || unit === 'Un' ? formatted : `${formatted} ${unit.toLowerCase()}`;
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const SIZE_STEP = 1_000;

/** A size in its largest unit that is at least 1. */
export function bytes(value: number, language: string): string {
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), SIZES.length - 1);
  const format = { style: 'unit', unit: SIZES[power]!, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(value / SIZE_STEP ** power);
}
