import { DamagedZip, TooLargeEntry, ZipArchive } from '../common/open-zip.ts';
import { isConversationMarkdown, MARKDOWN } from './markdown-form.ts';
import { documentOfLines, mayBeChats } from './json-lines.ts';
import { BEGINNING_BYTES, isOwnExport, readOwnExport } from './own-export.ts';

/**
 * Maximum bytes of chats in one file, after unpacking. Reading takes several times as much memory. Exports of this page
 * have no maximum, because they are read chat by chat.
 */
export const MAX_BYTES = 256_000_000;

/**
 * How many times as large as its archive a packed export of this page may be. Chats become a tenth; a larger factor is that
 * of a file made to fill the disk.
 */
const MOST_GROWTH = 100;

/** Matches the files in which ChatGPT and Claude keep all chats, in any folder; large exports have several. */
const ALL_CHATS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/** Matches the files of an archive that may have chats, if it has none of {@link ALL_CHATS}. */
const MAY_HAVE_CHATS = /\.(?:json|jsonl|ndjson|md)$/i;

/** Thrown if a file has no chats that can be imported. */
export class ImportFailure extends Error {
  /** `unreadable`: reading failed unexpectedly, for example because the JSON is nested too deeply. */
  readonly reason:
    | 'noFile'
    | 'brokenJson'
    | 'otherFormat'
    | 'brokenArchive'
    | 'noChatsInArchive'
    | 'tooLarge'
    | 'unreadable';

  constructor(reason: ImportFailure['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Reads the documents with chats: the file itself, or those in a ZIP archive. An export of this page is read as
 * {@link readOwnExport} describes. JSON lines become a document as {@link documentOfLines} describes; Markdown becomes an
 * object with the text.
 * @throws ImportFailure before the first document if the file cannot be read or has no chats.
 */
export async function* readImportFile(file: Blob): AsyncGenerator {
  const isArchive = (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
  if (isArchive) yield* readArchive(file);
  else if (await isOwnExport(file)) yield* readOwn(file);
  else if (file.size > MAX_BYTES) throw new ImportFailure('tooLarge');
  else yield documentIn(await file.text());
}

async function* readOwn(file: Blob): AsyncGenerator {
  try {
    yield* readOwnExport(file);
  } catch (cause) {
    throw cause instanceof SyntaxError ? new ImportFailure('brokenJson', cause) : cause;
  }
}

function documentIn(text: string): unknown {
  const begin = text.trimStart();
  if (begin === '') throw new ImportFailure('noFile');
  if (isConversationMarkdown(begin)) return { [MARKDOWN]: begin };
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (!/^[[{]/.test(begin)) throw new ImportFailure('otherFormat', cause);
    const lines = documentOfLines(begin);
    if (lines === null) throw new ImportFailure('brokenJson', cause);
    return lines;
  }
}

async function* readArchive(file: Blob): AsyncGenerator {
  const { texts, exports } = await unpack(file);
  const documents = documentsIn(texts);
  if (documents.length + exports.length === 0) throw new ImportFailure('noChatsInArchive');
  yield* documents;
  for (const own of exports) yield* readOwn(own);
}

function documentsIn(texts: readonly UnpackedFile[]): readonly unknown[] {
  const chats = texts.filter(({ name }) => ALL_CHATS.test(name));
  if (chats.length > 0) return chats.map(({ text }) => documentIn(text));
  const documents = texts.flatMap(({ text }) => {
    try {
      return [documentIn(text)];
    } catch {
      // Archives contain settings and other files beside the chats.
      return [];
    }
  });
  return documents.filter(mayBeChats);
}

interface UnpackedFile {
  readonly name: string;
  readonly text: string;
}

interface UnpackedFiles {
  readonly texts: readonly UnpackedFile[];
  /** Exports of this page, which may be of any size. */
  readonly exports: readonly Blob[];
}

/** Unpacks the files that may have chats. The others, such as gigabytes of images, are not read. */
async function unpack(file: Blob): Promise<UnpackedFiles> {
  try {
    const archive = await ZipArchive.open(file);
    const mayHaveChats = archive.names().filter((name) => MAY_HAVE_CHATS.test(name));
    const chats = mayHaveChats.filter((name) => ALL_CHATS.test(name));
    const texts: UnpackedFile[] = [];
    const exports: Blob[] = [];
    let rest = MAX_BYTES;
    for (const name of chats.length > 0 ? chats : mayHaveChats) {
      if (await isOwnExport(await archive.begin(name, BEGINNING_BYTES))) {
        exports.push(await archive.read(name, Math.max(MAX_BYTES, MOST_GROWTH * file.size)));
        continue;
      }
      const content = await archive.read(name, rest);
      rest -= content.size;
      texts.push({ name, text: await content.text() });
    }
    return { texts, exports };
  } catch (cause) {
    if (cause instanceof TooLargeEntry) throw new ImportFailure('tooLarge', cause);
    throw cause instanceof DamagedZip ? new ImportFailure('brokenArchive', cause) : cause;
  }
}

/** Whether a document has the form of Tabserve's own export. */
export function hasConversations(document: unknown): document is { conversations: unknown[] } {
  return (
    typeof document === 'object' &&
    document !== null &&
    'conversations' in document &&
    Array.isArray(document.conversations)
  );
}
