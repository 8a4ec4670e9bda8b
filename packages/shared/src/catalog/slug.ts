import { createHash } from 'node:crypto';

import { PRODUCT_FIELDS } from '../dto/product-record.dto.ts';

const MAX_LENGTH = PRODUCT_FIELDS.slug.maxLength ?? Infinity;

/** What a tenant may want its slugs to look like: words of its own around a reference, with or without the name. */
export const SLUG_PATTERN =
  /^(?:[a-z0-9]+-)*(?:\{name\}-\{reference\}|\{reference\}-\{name\}|\{reference\})(?:-[a-z0-9]+)*$/;

const USUAL_PATTERN = '{name}-{reference}';

/**
 * A slug from a product's name and reference (rule 23): readable, and the same for ever from the same two. Different
 * references never give one slug of a pattern, whatever the names: a reference of letters and digits stands whole
 * between hyphens; one that had to be changed has its hash on the far side of two hyphens. So `4711` gives
 * `queijo-minas-4711`, and `A/1` gives `queijo-minas-a-1--3f2a…`, or `3f2a…--a-1-queijo-minas` where it comes first.
 *
 * @param pattern one that `SLUG_PATTERN` takes
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

/** Lower-case letters and digits, everything else as single hyphens between them; accents are left out. */
function slugWords(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
