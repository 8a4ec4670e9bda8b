import { createHash } from 'node:crypto';

import { PRODUCT_FIELDS } from './product-record.dto.ts';

const MAX_LENGTH = PRODUCT_FIELDS.slug.maxLength ?? Infinity;

/** Patterns that a tenant may choose: words around a reference, with or without the name. */
export const SLUG_PATTERN =
  /^(?:[a-z0-9]+-)*(?:\{name\}-\{reference\}|\{reference\}-\{name\}|\{reference\})(?:-[a-z0-9]+)*$/;

const USUAL_PATTERN = '{name}-{reference}';

/**
 * A slug from a product's name and reference (rule 23): readable, and always the same for the same two. Different
 * references never give the same slug of a pattern, whatever the names: a reference of letters and digits is
 * included whole between hyphens; a reference that must be changed is followed or preceded by its hash after two
 * hyphens. So `4711` gives `queijo-minas-4711`, and `A/1` gives `queijo-minas-a-1--3f2a…`, or
 * `3f2a…--a-1-queijo-minas` if the reference comes first.
 *
 * @param pattern must match `SLUG_PATTERN`
 */
export function slugOf(name: string, externalReference: string, pattern: string = USUAL_PATTERN): string {
  const withReference = pattern.replace('{reference}', () => referencePart(externalReference, pattern));
  const length = MAX_LENGTH - (withReference.length - '{name}'.length);
  const words = slugWords(name).slice(0, length).replace(/-$/, '');
  return withReference.replace('{name}', () => (words === '' ? 'p' : words));
}

function referencePart(externalReference: string, pattern: string): string {
  const words = slugWords(externalReference);
  if (words === externalReference && !words.includes('-')) return words;
  const hash = createHash('sha256').update(externalReference).digest('hex').slice(0, 16);
  return pattern.includes('{reference}-{name}') ? `${hash}--${words}` : `${words}--${hash}`;
}

/** Lower-case letters and digits without accents; everything else becomes single hyphens between them. */
function slugWords(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
