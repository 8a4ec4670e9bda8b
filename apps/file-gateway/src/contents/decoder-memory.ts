import { PICTURE_BYTES } from './picture-header.ts';

/** Kinds of contents, each with a process of its own, so that slow pictures delay no PDF. */
export const KINDS = ['picture', 'pdf'] as const;
export type Kind = (typeof KINDS)[number];

/** Contents of each kind that the app has in memory at a time: one is judged while another one is read. */
export const CONTENTS_AT_ONCE = 2;

/** Resident memory of an idle decoder (measured: 70 to 97 MB). */
const IDLE_BYTES = 100_000_000;
/** The limit counts what is reserved: libvips reserves up to 1.7 times what it touches (measured, with WebP). */
const RESERVED = 1.75;
/** Stacks of threads, pieces of a content on their way, and fragments. */
const SPARE_BYTES = 100_000_000;
/** Resident memory of the app without contents (measured: 404 MB after the work of docs/sizing.md). */
const APP_BYTES = 420_000_000;

/** Memory that a decoder may take beyond what it takes when it is idle; it is ended by its own limit before more. */
export function moreBytes(kind: Kind, contentBytes: number): number {
  return contentBytes + SPARE_BYTES + (kind === 'picture' ? RESERVED * PICTURE_BYTES : 0);
}

/** Most memory of a container: the app with the contents that it reads, and its decoders at their limits. */
export function containerBytes(contentBytes: number): number {
  const decoders = KINDS.map((kind) => IDLE_BYTES + moreBytes(kind, contentBytes));
  return decoders.reduce((sum, bytes) => sum + bytes, APP_BYTES + KINDS.length * CONTENTS_AT_ONCE * contentBytes);
}
