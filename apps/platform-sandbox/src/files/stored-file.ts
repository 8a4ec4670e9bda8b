/** docs/platform.md, "Files". Badges, categories and products have no upload route. */
export const FILE_TYPES = { sku: 1, category: 2, badge: 3, invoice: 4, product: 5 } as const;
export type FileType = (typeof FILE_TYPES)[keyof typeof FILE_TYPES];

export interface StoredFile {
  /** GUID; identifies the file in removals and in its URL. */
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
  /** Position of an image, 1 is the main one; null for a file without a position. */
  readonly displayOrder: number | null;
}

export interface AttachedFile extends StoredFile, Attachment {}

export function isFileType(code: number): code is FileType {
  return Object.values<number>(FILE_TYPES).includes(code);
}

/** Most characters of a name in a URL, because routers limit the length of parameters. */
const NAME_CHARACTERS = 50;

/** Path below the sandbox's own address. The name is for people; only the id counts. */
export function filePath({ id, fileName }: Pick<StoredFile, 'id' | 'fileName'>): string {
  return `/files/${id}/${encodeURIComponent(fileName.slice(-NAME_CHARACTERS).toWellFormed() || 'file')}`;
}
