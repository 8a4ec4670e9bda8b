import { distance } from 'fastest-levenshtein';
import type { TopicName } from '../topics/topics.ts';

/** Suggestion for an unknown key (rule 20). */

// Stems in English and Portuguese, compared without case, accents and separators.
const PRICE_STEMS = ['price', 'preco', 'custo', 'promocional'];
const PRICE_WORDS = ['cost', 'valor', 'promo'];
const STOCK_STEMS = ['stock', 'estoque', 'inventory', 'saldo', 'quantity', 'quantidade', 'warehouse', 'deposito'];
const STOCK_WORDS = ['qty', 'qtd', 'qtde', 'balance'];

// A longer key is no misspelling, and the cost of the comparison grows with its length.
const COMPARED_LENGTH = 100;

// One letter in this many may differ; a name with more differences is another word.
const LETTERS_PER_MISTAKE = 3;

/** Names that ERPs use for a field and that are no misspellings of it, without case, accents and separators. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  nome: 'name',
  titulo: 'title',
  ncm: 'fiscalCode',
  gtin: 'ean',
  codigobarras: 'ean',
  codigodebarras: 'ean',
  barcode: 'ean',
  marca: 'brandExternalReference',
  categoria: 'categoryExternalReference',
  descricao: 'longDescription',
  description: 'longDescription',
  descricaocurta: 'shortDescription',
  ativo: 'active',
  unidade: 'unitOfMeasurement',
  unit: 'unitOfMeasurement',
  fabricante: 'manufacturerCode',
  codigo: 'externalReference',
  deposito: 'warehouse',
  loja: 'warehouse',
};

/**
 * The known name that a key probably means: the field for a name that ERPs use, a name that contains the key or is
 * contained in it (`brand` is short for `brandExternalReference`, not a misspelt `ean`), or the name that differs
 * in the fewest letters, ignoring case; the first of several. Null if every name differs in more than a third of
 * its letters.
 */
export function nearestName(key: string, known: readonly string[]): string | null {
  const word = OTHER_WORDS[wordsOf(key).join('')];
  if (word !== undefined && known.includes(word)) return word;
  const lower = key.slice(0, COMPARED_LENGTH).toLowerCase();
  const related = known.filter((name) => isPartOf(lower, name.toLowerCase()) || isPartOf(name.toLowerCase(), lower));
  let nearest: { readonly name: string | null; readonly letters: number } = { name: null, letters: Infinity };
  for (const name of related.length > 0 ? related : known) {
    const letters = distance(lower, name.toLowerCase());
    const most = Math.ceil(Math.max(lower.length, name.length) / LETTERS_PER_MISTAKE);
    if (letters < nearest.letters && (related.length > 0 || letters <= most)) nearest = { name, letters };
  }
  return nearest.name;
}

function isPartOf(part: string, whole: string): boolean {
  return part.length >= 3 && whole.includes(part);
}

/** Topic for a key that names a price or a stock, which never belong to a product; null for any other key. */
export function topicOfKey(key: string): TopicName | null {
  const words = wordsOf(key);
  const speaksOf = (stems: readonly string[], whole: readonly string[]): boolean =>
    stems.some((stem) => words.join('').includes(stem)) || whole.some((word) => words.includes(word));
  if (speaksOf(PRICE_STEMS, PRICE_WORDS)) return 'erp.catalog.prices.v1';
  return speaksOf(STOCK_STEMS, STOCK_WORDS) ? 'erp.catalog.stock.v1' : null;
}

/** Words of a key in lower case, without accents and separators. */
function wordsOf(key: string): string[] {
  return key
    .slice(0, COMPARED_LENGTH)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => word.toLowerCase());
}
