import { unzipSync, type UnzipFileInfo } from 'fflate';
import { declaredEncoding } from './encodings/declared-encoding.ts';
import { isUtf8 } from './encodings/is-utf8.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/** Limits for a document that unpacks to far more than it is. */
const MAX_ENTRIES = 20_000;
const MAX_ENTRY = 100_000_000;
const MAX_TOTAL = 300_000_000;
/** Real documents shrink up to about a hundredfold. Small entries may be of any ratio. */
const MAX_RATIO = 400;
const SMALL_ENTRY = 2_000_000;

/**
 * Entries with fewer bytes are unpacked together, at most this many bytes of them. Each search for one entry reads the
 * list of all, which would take minutes in a book of thousands of chapters.
 */
const TINY_ENTRY = 100_000;
const MAX_TINY = 50_000_000;

/** A document that is a ZIP archive of XML files, such as DOCX, ODT and EPUB. */
export interface DocumentPackage {
  readonly names: readonly string[];
  /**
   * Returns the text of an entry, null if there is none of this name.
   * @throws UnreadableDocument `damaged` if it cannot be unpacked, `tooComplex` if it is too large.
   */
  text(name: string): string | null;
}

/**
 * Opens a ZIP archive. Entries are unpacked when they are read.
 * @throws UnreadableDocument `damaged` if this is no complete ZIP archive, `tooComplex` if it has too many entries.
 */
export function openPackage(bytes: Uint8Array): DocumentPackage {
  const entries = new Map<string, UnzipFileInfo>();
  unzip(bytes, (entry) => {
    entries.set(inUtf8(entry.name).replaceAll('\\', '/'), entry);
    if (entries.size > MAX_ENTRIES) throw new UnreadableDocument('tooComplex');
    return false;
  });
  let total = 0;
  let tiny: Readonly<Record<string, Uint8Array>> | null = null;
  const text = (name: string): string | null => {
    const entry = entries.get(name);
    if (entry === undefined) return null;
    const { originalSize, size } = entry;
    total += originalSize;
    const isBomb = originalSize > SMALL_ENTRY && originalSize > MAX_RATIO * size;
    if (originalSize > MAX_ENTRY || total > MAX_TOTAL || isBomb) throw new UnreadableDocument('tooComplex');
    // Only as many bytes as the archive declares are unpacked, even if the entry has more.
    tiny ??= unzipTiny(bytes);
    const found = tiny[entry.name] ?? unzip(bytes, (other) => other.name === entry.name)[entry.name];
    return found === undefined ? null : decodeXml(found);
  };
  return { names: [...entries.keys()], text };
}

/** Returns a name that is in UTF-8. Some programs do not say so in the archive, so that each byte was read as a character. */
function inUtf8(name: string): string {
  if (!/[\u0080-\u00ff]/.test(name) || /[\u0100-\uffff]/.test(name)) return name;
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0));
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : name;
}

/** Unpacks the small entries of XML, HTML and text; none if one of them is damaged. */
function unzipTiny(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let room = MAX_TINY;
  const isTiny = ({ name, originalSize }: UnzipFileInfo): boolean => {
    if (originalSize > Math.min(TINY_ENTRY, room) || !/\.(?:xml|rels|x?html?|opf)$/i.test(name)) return false;
    room -= originalSize;
    return true;
  };
  try {
    return unzip(bytes, isTiny);
  } catch {
    return {};
  }
}

function unzip(bytes: Uint8Array, filter: (entry: UnzipFileInfo) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter });
  } catch (thrown) {
    throw thrown instanceof UnreadableDocument ? thrown : new UnreadableDocument('damaged', thrown);
  }
}

function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const mark =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  // Chapters of books that were converted to UTF-8 may declare the encoding that they had before.
  const encoding = mark ?? (isUtf8(bytes) ? 'utf-8' : declaredEncoding(bytes));
  return new TextDecoder(encoding).decode(bytes);
}

/** Returns the path of an entry to which another entry refers. */
export function pathFrom(entry: string, target: string): string {
  const folder = target.startsWith('/') ? [] : entry.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') folder.pop();
    else if (part !== '' && part !== '.') folder.push(part);
  }
  return folder.join('/');
}
