/** An entry of a folder, itself and not what a link leads to. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'symbolic link' | 'special file';
  /** First characters of a file that has a name of the sandbox's; else empty. */
  readonly begin: string;
}

/** A folder as a start finds it. */
export interface FolderSurvey {
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  /** Entries of its folder of contents. */
  readonly contents: readonly FolderEntry[];
}

/** Says whose folder it is. */
export const MARKER = 'platform-sandbox.json';
/** An empty SQLite database, whose lock is that of the folder. */
export const LOCK = 'lock';
/** Names the process that has the lock. */
export const HOLDER = 'holder';
/** Earlier versions wrote it in place of the two. */
export const PID = 'owner.pid';
/** Folder of the contents of files, each named by its GUID. */
export const CONTENTS = 'files';
/** End of the name of a file that is not complete yet. */
export const PART = '.part';

export const JOURNAL = /^journal\.(0|[1-9]\d{0,14})$/;
export const SNAPSHOT = /^snapshot\.([1-9]\d{0,14})$/;
export const SNAPSHOT_PART = /^snapshot\.[1-9]\d{0,14}\.part$/;

const OWNER = '@gondola/platform-sandbox';
/** Raised by a version whose folders this one would misread. */
const FORMAT = 1;
/** Begin of a line of a journal or snapshot, and what a crash leaves of the first one. */
const LINE = /^[\da-f]{8} \[/;
const TORN_LINE = /^[\da-f]{0,8} ?$/;
/** Files that the sandbox writes, and how each may begin when a start is killed before the folder has its marker. */
const OWN_FILES = [
  { name: /^platform-sandbox\.json(\.part)?$/, unfinished: /^(\{|$)/ },
  { name: /^lock$/, unfinished: /^$/ },
  // SQLite's, with a head of zeros: nothing is ever written under the lock.
  { name: /^lock-journal$/, unfinished: /^(\0{8}|$)/ },
  { name: /^holder$/, unfinished: /^(the sandbox on |$)/ },
  { name: /^owner\.pid$/, unfinished: /^\d*$/ },
  { name: JOURNAL, unfinished: TORN_LINE },
  { name: SNAPSHOT, unfinished: TORN_LINE },
  { name: SNAPSHOT_PART, unfinished: TORN_LINE },
] as const;
/** Version 4 GUIDs, as the sandbox draws them. */
const CONTENT = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** Entries that the system makes by itself. */
const OF_SYSTEM = new Set(['.DS_Store', 'lost+found']);
const NAMES_SHOWN = 3;

const ANOTHER_FOLDER = 'give the sandbox another folder, new or empty (--data, DATA_DIR)';

export function isOwnFile(name: string): boolean {
  return OWN_FILES.some((own) => own.name.test(name));
}

export function isContent(name: string): boolean {
  return CONTENT.test(name);
}

export function markerOf(version: string): string {
  return `${JSON.stringify({ owner: OWNER, format: FORMAT, version })}\n`;
}

/**
 * One sentence that says why the sandbox must not use the folder; null if it is new, empty, or the sandbox's own.
 * Before there were markers, a journal or a snapshot made it the sandbox's. `version`: that of this sandbox.
 */
export function folderProblem(survey: FolderSurvey, version: string): string | null {
  const { path, entries, contents } = survey;
  const marker = entries.find(({ name, kind }) => name === MARKER && kind === 'file');
  const isOwn = marker !== undefined || entries.some(hasState);
  // The first start of an earlier version may have left it beside an empty journal.
  const isEmpty = ({ name, kind }: FolderEntry): boolean =>
    name === CONTENTS && kind === 'folder' && contents.length === 0;
  const mayBeOwn = (entry: FolderEntry): boolean => isUnfinished(entry) || isEmpty(entry);
  const others = isOwn ? [] : entries.filter((entry) => !OF_SYSTEM.has(entry.name) && !mayBeOwn(entry));
  if (others.some(({ name }) => !isOwnName(name))) return strange(path, others);
  const misplaced =
    nameOfMisplaced(entries, (name) => (name === CONTENTS ? 'folder' : isOwnFile(name) ? 'file' : null)) ??
    nameOfMisplaced(contents, (name) => (isContent(name) ? 'file' : null), `${CONTENTS}/`);
  if (misplaced !== undefined) return `${path}/${misplaced}: ${ANOTHER_FOLDER}`;
  if (others.length > 0) return strange(path, others);
  return marker === undefined ? null : markerProblem(path, marker.begin, version);
}

function isOwnName(name: string): boolean {
  return name === CONTENTS || isOwnFile(name);
}

function hasState({ name, kind, begin }: FolderEntry): boolean {
  return kind === 'file' && (JOURNAL.test(name) || SNAPSHOT.test(name)) && LINE.test(begin);
}

function isUnfinished({ name, kind, begin }: FolderEntry): boolean {
  return kind === 'file' && OWN_FILES.some((own) => own.name.test(name) && own.unfinished.test(begin));
}

function strange(path: string, others: readonly FolderEntry[]): string {
  const names = others.slice(0, NAMES_SHOWN).map(({ name }) => JSON.stringify(name));
  const more = others.length - names.length;
  const all = [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `${path} is not the sandbox's own and not empty (${all}), and was left as it is: ${ANOTHER_FOLDER}`;
}

/** Name and kind of an entry that has a name of the sandbox's and is of another kind. */
function nameOfMisplaced(
  entries: readonly FolderEntry[],
  kindOf: (name: string) => FolderEntry['kind'] | null,
  folder = '',
): string | undefined {
  for (const { name, kind } of entries) {
    const wanted = kindOf(name);
    if (wanted === null || kind === wanted) continue;
    const why = kind === 'symbolic link' ? ', and the sandbox follows none' : `, where the sandbox has a ${wanted}`;
    return `${folder}${name} is a ${kind}${why}`;
  }
  return undefined;
}

function markerProblem(path: string, text: string, version: string): string | null {
  const { owner, format, version: writer } = parsed(text);
  if (owner !== OWNER || typeof format !== 'number') {
    return `${path}/${MARKER} does not name the sandbox as its owner: restore it, or ${ANOTHER_FOLDER}`;
  }
  if (format <= FORMAT) return null;
  return (
    `${path} was written by version ${String(writer)} of the sandbox, in a form that this one, ${version}, ` +
    `does not know: start that version, or ${ANOTHER_FOLDER}`
  );
}

function parsed(text: string): { readonly owner?: unknown; readonly format?: unknown; readonly version?: unknown } {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
