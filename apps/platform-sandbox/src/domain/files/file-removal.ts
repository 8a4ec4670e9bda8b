import type { FieldProblem } from '../field-problem.ts';
import { isGuid } from '../guid.ts';
import { isJsonArray, isJsonObject, keyOf, numberOf, type Json } from '../exact-json.ts';
import { isFileType, type FileType } from './stored-file.ts';

/** Which files of an entity are to go: those with these ids. */
interface FileRemoval {
  readonly fileType: FileType;
  readonly ids: readonly string[];
}

export type RemovalReading =
  | { readonly kind: 'valid'; readonly removal: FileRemoval }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/**
 * Body of `DELETE /v1/Storages/file/{externalReference}`: `fileType`, and `urls` or `storageIds` (docs/platform.md,
 * "Files").
 */
export function readRemoval(body: Json): RemovalReading {
  const given = isJsonObject(body) ? body : {};
  const fileType = numberOf(keyOf(given, 'fileType'));
  const urls = texts(keyOf(given, 'urls'));
  const storageIds = texts(keyOf(given, 'storageIds'));
  const problems: FieldProblem[] = [];
  if (fileType === undefined || !isFileType(fileType)) problems.push({ field: 'fileType', message: 'must be 1 to 5' });
  if (urls === undefined) problems.push({ field: 'urls', message: 'must be a list of texts' });
  if (storageIds === undefined) problems.push({ field: 'storageIds', message: 'must be a list of texts' });
  if (urls?.length === 0 && storageIds?.length === 0) {
    problems.push({ field: 'urls or storageIds', message: 'must be informed' });
  }
  if (fileType === undefined || !isFileType(fileType) || !urls || !storageIds || problems.length > 0) {
    return { kind: 'invalid', problems };
  }
  const ids = [...urls.flatMap(idOfUrl), ...storageIds.map((id) => id.toLowerCase())];
  return { kind: 'valid', removal: { fileType, ids } };
}

/** `…/files/<id>/<name>`, whatever the host: the sandbox may have moved since it told the URL. */
function idOfUrl(url: string): string[] {
  const id = /\/files\/([^/]+)\//.exec(url)?.[1]?.toLowerCase();
  return id !== undefined && isGuid(id) ? [id] : [];
}

/** None where the key is missing or null; undefined where it is no list of texts. */
function texts(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  return isJsonArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined;
}
