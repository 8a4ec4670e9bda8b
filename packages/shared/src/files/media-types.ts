/**
 * The kinds of content that Gondola takes in: images of SKUs and the PDF of an invoice (platform document, "Files").
 */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

export const PDF_MEDIA_TYPE = 'application/pdf';

export type MediaType = ImageMediaType | typeof PDF_MEDIA_TYPE;
