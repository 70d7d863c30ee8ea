/** Matches the beginning of an export of this page as it is written: each entry of its lists on lines of its own. */
const BEGINNING = /^\{\n {2}"format": "tabserve-conversations",\n/;

/** Bytes that suffice to tell such an export. */
export const BEGINNING_BYTES = 100;

/** Lines that begin and end the list of chats. Text has no line ends in JSON, so no text contains them. */
const LIST = '  "conversations": [';
const LIST_END = /^ {2}\],?$/;
const CHAT_END = /^ {4}\},?$/;
/** Lines around a message. Within a chat, only messages begin with a line like this. */
const MESSAGE = '        {';
const MESSAGE_END = /^ {8}\},?$/;

/** Bytes that are read at once. */
const PIECE = 4_000_000;

/** Whether a file is an export that {@link readOwnExport} reads. Others may have the same JSON, written otherwise. */
export async function isOwnExport(file: Blob): Promise<boolean> {
  return BEGINNING.test(await file.slice(0, BEGINNING_BYTES).text());
}

/**
 * Reads an export of this page as several documents: one with all but the chats, then one for each chat. At most one
 * message is held as text, and one chat in all, so that a file of any size can be read.
 * A chat that is damaged becomes null.
 * @throws SyntaxError before the first document if the file breaks off, or is damaged outside of its chats.
 */
export async function* readOwnExport(file: Blob): AsyncGenerator<object> {
  const lines: string[] = [];
  for await (const { line, isOfChats } of sortedLines(file)) if (!isOfChats) lines.push(line);
  const document = JSON.parse(lines.join('\n')) as { readonly presets?: unknown };
  yield document;
  const { presets: _presets, ...others } = document;
  let chat: string[] = [];
  let messages: unknown[] = [];
  let message: string[] | null = null;
  for await (const { line, isOfChats } of sortedLines(file)) {
    if (!isOfChats) continue;
    if (line === MESSAGE) message = [];
    (message ?? chat).push(line);
    if (message !== null && MESSAGE_END.test(line)) {
      messages.push(parsed(message));
      message = null;
    } else if (CHAT_END.test(line)) {
      const fields = message === null ? parsed(chat) : null;
      yield { ...others, conversations: [fields === null ? null : { ...fields, messages }] };
      [chat, messages, message] = [[], [], null];
    }
  }
  if (chat.length > 0) yield { ...others, conversations: [null] };
}

/** Returns the object in the lines of an entry; null if they are damaged. */
function parsed(lines: readonly string[]): object | null {
  try {
    return JSON.parse(lines.join('\n').replace(/,$/, '')) as object | null;
  } catch {
    return null;
  }
}

async function* sortedLines(file: Blob): AsyncGenerator<{ readonly line: string; readonly isOfChats: boolean }> {
  let isOfChats = false;
  for await (const line of linesOf(file)) {
    if (LIST_END.test(line)) isOfChats = false;
    yield { line, isOfChats };
    if (line === LIST) isOfChats = true;
  }
}

async function* linesOf(file: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // An image is one line of many pieces.
  let begun: string[] = [];
  for (let at = 0; at < file.size; at += PIECE) {
    const bytes = await file.slice(at, at + PIECE).arrayBuffer();
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    begun.push(first);
    for (const next of others) {
      yield begun.join('');
      begun = [next];
    }
  }
  yield begun.join('') + decoder.decode();
}
