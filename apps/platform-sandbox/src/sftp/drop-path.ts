import { isGuid } from '../values/guid.ts';

/** Target of a path in the SFTP drop; a merchant's folders carry the merchant's GUID. */
export type DropPath =
  | { readonly kind: 'merchants'; readonly contractAccountId: undefined }
  | { readonly kind: 'folder'; readonly contractAccountId: string | undefined; readonly holds: string }
  | { readonly kind: 'drop'; readonly contractAccountId: string }
  | { readonly kind: 'file'; readonly contractAccountId: string; readonly fileName: string };

const BELOW_MERCHANT = ['SKUs', 'Integracao'] as const;

/** The path from the root, without `.`, `..` and empty names. */
export function normalPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/**
 * Reads a path of `/<contract-folder>/<contractAccountId>/SKUs/Integracao/<file>` (docs/platform.md, "Files");
 * undefined if it leads outside.
 */
export function readDropPath(path: string, contractFolder: string): DropPath | undefined {
  const [folder, contractAccountId, ...below] = normalPath(path).split('/').slice(1);
  if (folder === undefined || folder === '') {
    return { kind: 'folder', contractAccountId: undefined, holds: contractFolder };
  }
  if (folder !== contractFolder || below.length > BELOW_MERCHANT.length + 1) return undefined;
  if (contractAccountId === undefined) return { kind: 'merchants', contractAccountId };
  const isLeadingAway = BELOW_MERCHANT.some((name, index) => below[index] !== undefined && below[index] !== name);
  if (!isGuid(contractAccountId) || isLeadingAway) return undefined;
  const holds = BELOW_MERCHANT[below.length];
  if (holds !== undefined) return { kind: 'folder', contractAccountId, holds };
  const fileName = below[BELOW_MERCHANT.length];
  return fileName === undefined ? { kind: 'drop', contractAccountId } : { kind: 'file', contractAccountId, fileName };
}

/**
 * Display order in the name of an image of this SKU; undefined if the name does not match. The document does not
 * show the pattern of the standardized names: `{sku}` and `{order}` stand for both, before any extension.
 */
export function orderInName(fileName: string, sku: string, pattern: string): string | undefined {
  const name = fileName.replace(/\.[^.]*$/, '');
  const [before = '', after = ''] = pattern.split('{order}').map((part) => part.replace('{sku}', () => sku));
  if (name.length < before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) return undefined;
  const order = name.slice(before.length, name.length - after.length);
  return /^\d{1,9}$/.test(order) ? order : undefined;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** Media type by the extension, because SFTP has no types. */
export function mediaTypeOf(fileName: string): string {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || 'application/octet-stream';
}
