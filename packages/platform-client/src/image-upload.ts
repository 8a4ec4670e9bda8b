import { randomUUID } from 'node:crypto';
import type { ImageMediaType } from '@gondola/shared/files/media-types';
import { type FileContent, type MultipartBody, multipartBody } from './multipart.ts';

/** An image of a SKU as it is uploaded. */
export interface ImageUpload {
  readonly content: FileContent;
  readonly fileName: string;
  readonly mediaType: ImageMediaType;
  /** Where it is shown; 1 is the main image. */
  readonly order: number;
}

/**
 * The form that uploads images: `orders` in the sequence of `files` (docs/platform.md, "Files"; rule 32). The fields go
 * before the files: a reader that takes the parts as they come knows the places first.
 */
export function imageUploadBody(images: readonly ImageUpload[]): MultipartBody {
  const parts = [
    ...images.map(({ order }) => ({ name: 'orders', text: String(order) })),
    ...images.map(({ content, fileName, mediaType }) => ({ name: 'files', content, fileName, mediaType })),
  ];
  return multipartBody(parts, randomUUID());
}

/**
 * The bytes that `PlatformClient.uploadImages` sends for these images, to be held against the platform's limit of a
 * request.
 */
export function uploadImagesSize(images: readonly ImageUpload[]): number {
  return imageUploadBody(images).size;
}
