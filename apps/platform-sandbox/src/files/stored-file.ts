import type { RelatedEntity } from '../webhooks/notification.ts';

/** docs/platform.md, "Files". Badges, categories and products have no upload route. */
export const FILE_TYPES = { sku: 1, category: 2, badge: 3, invoice: 4, product: 5 } as const;
export type FileType = (typeof FILE_TYPES)[keyof typeof FILE_TYPES];

export interface StoredFile {
  /** GUID; the id by which it can be removed, and part of its URL. */
  readonly id: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Attachment {
  readonly fileType: FileType;
  /** GUID of the SKU or of the order. */
  readonly entityId: string;
  /** Reference of the SKU, or number of the order. */
  readonly externalReference: string;
  /** Of an image: 1 is the main one. Null where there is no order. */
  readonly displayOrder: number | null;
}

export interface AttachedFile extends StoredFile, Attachment {}

/** Files are no entity of their own in a notification. */
export function relatedEntityOf(fileType: FileType): RelatedEntity {
  if (fileType === FILE_TYPES.category) return 'Category';
  return fileType === FILE_TYPES.invoice ? 'Order' : 'ProductWithSKUs';
}

export function isFileType(code: number): code is FileType {
  return Object.values<number>(FILE_TYPES).includes(code);
}

/** Of a name, as it stands in a URL; no router takes parameters of any length. */
const NAME_CHARACTERS = 50;

/** Below the sandbox's own address. The name is for people, the id is what counts. */
export function filePath({ id, fileName }: Pick<StoredFile, 'id' | 'fileName'>): string {
  return `/files/${id}/${encodeURIComponent(fileName.slice(-NAME_CHARACTERS).toWellFormed() || 'file')}`;
}
