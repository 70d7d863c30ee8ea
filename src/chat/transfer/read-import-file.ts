import { Unzip, UnzipInflate } from 'fflate';

/** Maximum bytes of chats in one file, after unpacking. Reading takes several times as much memory. */
export const MAX_BYTES = 256_000_000;

/** Compressed bytes per step. The step must fit into memory even if they expand a thousandfold. */
const PIECE = 16_384;

/**
 * Matches the files with chats in an archive, in any folder: `conversations.json`, or `conversations-000.json` and so
 * on in large exports.
 */
const CHATS_IN_ARCHIVE = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/** Thrown if a file has no chats that can be imported. */
export class ImportFailure extends Error {
  /** `unreadable`: reading failed unexpectedly, for example because the JSON is nested too deeply. */
  readonly reason: 'noJson' | 'brokenArchive' | 'noChatsInArchive' | 'tooLarge' | 'unreadable';

  constructor(reason: ImportFailure['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Returns the JSON documents with chats: the file itself, or those in a ZIP archive.
 * @throws ImportFailure if the file cannot be read or has no chats.
 */
export async function readImportFile(file: Blob): Promise<readonly unknown[]> {
  const isArchive = (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
  if (!isArchive && file.size > MAX_BYTES) throw new ImportFailure('tooLarge');
  const texts = isArchive ? await unpack(file) : [await file.text()];
  return texts.map((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new ImportFailure('noJson', cause);
    }
  });
}

async function unpack(file: Blob): Promise<readonly string[]> {
  const texts: string[] = [];
  let open = 0;
  let bytes = 0;
  const unzip = new Unzip((entry) => {
    if (!CHATS_IN_ARCHIVE.test(entry.name)) return;
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
      texts.push(text);
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
  if (texts.length === 0) throw new ImportFailure('noChatsInArchive');
  return texts;
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
