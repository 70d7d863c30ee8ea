import { Unzip, UnzipInflate } from 'fflate';
import { isConversationMarkdown, MARKDOWN } from './markdown-form.ts';
import { documentOfLines, mayBeChats } from './json-lines.ts';

/** Maximum bytes of chats in one file, after unpacking. Reading takes several times as much memory. */
export const MAX_BYTES = 256_000_000;

/** Compressed bytes per step. The step must fit into memory even if they expand a thousandfold. */
const PIECE = 16_384;

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
 * Returns the documents with chats: the file itself, or those in a ZIP archive. JSON lines become a document as
 * {@link documentOfLines} describes; Markdown becomes an object with the text.
 * @throws ImportFailure if the file cannot be read or has no chats.
 */
export async function readImportFile(file: Blob): Promise<readonly unknown[]> {
  const isArchive = (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
  if (isArchive) return readArchive(file);
  if (file.size > MAX_BYTES) throw new ImportFailure('tooLarge');
  return [documentIn(await file.text())];
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

async function readArchive(file: Blob): Promise<readonly unknown[]> {
  const texts = await unpack(file);
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
  const known = documents.filter(mayBeChats);
  if (known.length === 0) throw new ImportFailure('noChatsInArchive');
  return known;
}

interface UnpackedFile {
  readonly name: string;
  readonly text: string;
}

async function unpack(file: Blob): Promise<readonly UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  let open = 0;
  let bytes = 0;
  const unzip = new Unzip((entry) => {
    if (!MAY_HAVE_CHATS.test(entry.name)) return;
    const decoder = new TextDecoder();
    let text = '';
    open += 1;
    // `push` below throws errors of this callback.
    entry.ondata = (error, data, isLast) => {
      if (error !== null) throw error;
      bytes += data.length;
      if (bytes > MAX_BYTES) throw new ImportFailure('tooLarge');
      text += decoder.decode(data, { stream: !isLast });
      if (!isLast) return;
      open -= 1;
      files.push({ name: entry.name, text });
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  try {
    for await (const chunk of file.stream()) {
      for (let at = 0; at < chunk.length; at += PIECE) unzip.push(chunk.subarray(at, at + PIECE));
    }
    unzip.push(new Uint8Array(), true);
  } catch (cause) {
    throw cause instanceof ImportFailure ? cause : new ImportFailure('brokenArchive', cause);
  }
  if (open > 0) throw new ImportFailure('brokenArchive');
  if (files.length === 0) throw new ImportFailure('noChatsInArchive');
  return files;
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
