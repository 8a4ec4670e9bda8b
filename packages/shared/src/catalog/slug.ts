import { createHash } from 'node:crypto';

import { PRODUCT_FIELDS } from '../dto/product-record.dto.ts';

const MAX_LENGTH = PRODUCT_FIELDS.slug.maxLength ?? Infinity;

/**
 * A slug from a product's name and reference (rule 23): readable, and the same for ever from the same two. Different
 * references never give one slug, whatever the names: a reference of letters and digits stands whole behind the last
 * hyphen; one that had to be changed stands behind two hyphens as its hash. So `4711` gives `queijo-minas-4711`, and
 * `A/1` gives `queijo-minas-a-1--3f2a…`.
 */
export function slugOf(name: string, externalReference: string): string {
  const reference = slugWords(externalReference);
  const isWhole = reference === externalReference && !reference.includes('-');
  const hash = createHash('sha256').update(externalReference).digest('hex').slice(0, 16);
  const end = isWhole ? `-${reference}` : `-${reference}--${hash}`;
  const start = slugWords(name)
    .slice(0, MAX_LENGTH - end.length)
    .replace(/-$/, '');
  return start === '' ? `p${end}` : `${start}${end}`;
}

/** Lower-case letters and digits, everything else as single hyphens between them; accents are left out. */
function slugWords(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
