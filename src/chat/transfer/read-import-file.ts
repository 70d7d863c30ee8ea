import { formatBytes } from '../strings/format.ts';
import { importStrings } from '../strings/transfer.ts';

/** Bytes of chats that one file may hold, unpacked: reading takes several times as much memory. */
const MOST_BYTES = 256_000_000;

/** Bytes that are unpacked at once. They may become a thousand times as many, which must fit into memory too. */
const PIECE = 16_384;

/** `conversations.json`, in large exports `conversations-000.json` and so on, in whatever folder. */
const CHATS_IN_ARCHIVE = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/**
 * The JSON documents with chats that a file holds: itself, or those in it where it is a ZIP archive.
 * @throws Error whose message tells a person why there are none.
 */
export async function readImportFile(file: Blob): Promise<readonly unknown[]> {
  const isArchive = (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
  if (!isArchive && file.size > MOST_BYTES) throw tooLarge();
  const texts = isArchive ? await unpack(file) : [await file.text()];
  return texts.map((text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new Error(importStrings.noJson, { cause });
    }
  });
}

async function unpack(file: Blob): Promise<readonly string[]> {
  const { Unzip, UnzipInflate } = await import('fflate');
  const texts: string[] = [];
  let open = 0;
  let bytes = 0;
  const unzip = new Unzip((entry) => {
    if (!CHATS_IN_ARCHIVE.test(entry.name)) return;
    const decoder = new TextDecoder();
    let text = '';
    open += 1;
    // What is thrown here comes out of the push below.
    entry.ondata = (error, data, isLast) => {
      if (error !== null) throw error;
      bytes += data.length;
      if (bytes > MOST_BYTES) throw tooLarge();
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
    throw cause instanceof TooLarge ? cause : new Error(importStrings.brokenArchive, { cause });
  }
  if (open > 0) throw new Error(importStrings.brokenArchive);
  if (texts.length === 0) throw new Error(importStrings.noChatsInArchive);
  return texts;
}

class TooLarge extends Error {}

function tooLarge(): TooLarge {
  return new TooLarge(importStrings.tooLarge(formatBytes(MOST_BYTES)));
}
