import { describe, expect, it } from '@jest/globals';
import { bytes, money, quantity } from './amounts.ts';
import { clamp, LONGEST_TEXT } from './clamp.ts';
import { ago, shortTime } from './time.ts';

const plain = (text: string | null) => text?.replaceAll(/\s/g, ' ');

describe('formats', () => {
  it('writes money as Brazilians do, digit by digit', () => {
    expect(plain(money('1234567.80', 'pt-BR'))).toBe('R$ 1.234.567,80');
    expect(plain(money('9007199254740993.01', 'pt-BR'))).toBe('R$ 9.007.199.254.740.993,01');
    expect(money(null, 'pt-BR')).toBeNull();
  });

  it('shows as it is what is no decimal text', () => {
    expect(money('<img>', 'en')).toBe('<img>');
  });

  it('writes quantities and sizes with their units', () => {
    expect(quantity('0.312', 'Kg', 'pt-BR')).toBe('0,312 kg');
    expect(quantity(2, 'Un', 'en')).toBe('2');
    expect(plain(bytes(1_674, 'en'))).toBe('1.7 kB');
  });

  it('leaves out of a time what the reader knows', () => {
    const now = new Date(2026, 10, 26, 12, 0);
    expect(shortTime(new Date(2026, 10, 26, 8, 10), 'pt-BR', now)).toBe('08:10');
    expect(shortTime(new Date(2026, 10, 25, 8, 10), 'pt-BR', now)).toBe('25/11, 08:10');
    expect(shortTime(new Date(2025, 10, 25, 8, 10), 'pt-BR', now)).toBe('25/11/2025, 08:10');
    expect(ago(new Date(2026, 10, 26, 11, 55), 'pt-BR', now)).toBe('há 5 min.');
  });

  it('cuts a long text between characters', () => {
    expect(clamp('x'.repeat(LONGEST_TEXT))).toMatchObject({ cutFrom: null });
    const { shown, cutFrom } = clamp('🍞'.repeat(3), 3);
    expect([shown, cutFrom]).toEqual(['🍞', 6]);
  });
});
