import { distance } from 'fastest-levenshtein';
import type { TopicName } from '../topics/topics.ts';

/** The suggestion for an unknown key (rule 20). */

// Stems in English and Portuguese, compared without case, accents and separators.
const PRICE_STEMS = ['price', 'preco', 'custo', 'promocional'];
const PRICE_WORDS = ['cost', 'valor', 'promo'];
const STOCK_STEMS = ['stock', 'estoque', 'inventory', 'saldo', 'quantity', 'quantidade', 'warehouse', 'deposito'];
const STOCK_WORDS = ['qty', 'qtd', 'qtde', 'balance'];

// A longer key is no misspelling, and the distance costs its length.
const COMPARED_LENGTH = 100;

/**
 * The known name that differs in the fewest letters, case aside; the first of several. Names that contain the key, or
 * are contained in it, go before the others: `brand` is a short `brandExternalReference`, not a misspelt `ean`.
 */
export function nearestName(key: string, known: readonly string[]): string {
  const lower = key.slice(0, COMPARED_LENGTH).toLowerCase();
  const related = known.filter((name) => isPartOf(lower, name.toLowerCase()) || isPartOf(name.toLowerCase(), lower));
  let nearest = { name: '', letters: Infinity };
  for (const name of related.length > 0 ? related : known) {
    const letters = distance(lower, name.toLowerCase());
    if (letters < nearest.letters) nearest = { name, letters };
  }
  return nearest.name;
}

function isPartOf(part: string, whole: string): boolean {
  return part.length >= 3 && whole.includes(part);
}

/** The topic for a key that speaks of a price or of stock, which never live on a product; null for any other key. */
export function topicOfKey(key: string): TopicName | null {
  const words = key
    .slice(0, COMPARED_LENGTH)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => word.toLowerCase());
  const speaksOf = (stems: readonly string[], whole: readonly string[]): boolean =>
    stems.some((stem) => words.join('').includes(stem)) || whole.some((word) => words.includes(word));
  if (speaksOf(PRICE_STEMS, PRICE_WORDS)) return 'erp.catalog.prices.v1';
  return speaksOf(STOCK_STEMS, STOCK_WORDS) ? 'erp.catalog.stock.v1' : null;
}
