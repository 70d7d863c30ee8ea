import type { Address, Email } from 'postal-mime';
import { binaryString } from './binary-string.ts';
import { decodeText } from './encodings/decode-text.ts';
import { parseMail } from './encodings/parse-mail.ts';
import { UnreadableDocument } from './unreadable-document.ts';
import { addHtmlText } from './html-text.ts';
import { TextBuilder } from './text-builder.ts';

/** Maximum nesting of parts in a message. */
const MAX_NESTING = 50;

/** Attached messages within attached messages that are read. */
const MAX_ATTACHED = 5;

/** Maximum lines of a message. The parser keeps each line of a text apart, which takes memory. */
const MAX_LINES = 2_000_000;

/** Maximum messages that are read of a mailbox. */
const MAX_MESSAGES = 5000;

/** Bytes within which the name of a header ends. */
const LONGEST_NAME = 200;

const PICTURE = /^image\//;

/**
 * Adds a message (EML, EMLX, MHTML) or the messages of a mailbox (MBOX): sender, receivers, date, subject and text.
 * Attachments are counted and named.
 * @throws UnreadableDocument `damaged` if it has neither headers nor text.
 */
export async function readEmail(bytes: Uint8Array, out: TextBuilder): Promise<void> {
  // A byte order mark would become part of the name of the first header.
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (const [index, message] of messagesOf(bytes.subarray(hasMark ? 3 : 0)).entries()) {
    if (out.isFull) return;
    if (index === MAX_MESSAGES) return out.cut();
    if (index > 0) {
      out.paragraph();
      out.text('---');
      out.paragraph();
    }
    await addMessage(message, out);
  }
}

/** Splits a mailbox at the lines that begin with `From `. Another file is one message. */
function messagesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const [line = '', size] = /^(\d+)\s*\n/.exec(binaryString(bytes.subarray(0, 20))) ?? [];
  // A property list follows in files of Apple Mail (EMLX).
  if (size !== undefined) return [bytes.subarray(line.length, line.length + Number(size))];
  const from = [0x0a, 0x46, 0x72, 0x6f, 0x6d, 0x20];
  const isFrom = (at: number) => from.every((byte, offset) => offset === 0 || bytes[at + offset] === byte);
  if (!isFrom(-1)) return [bytes];
  const starts = [0];
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    // The line before is empty, and a header follows: a sentence may begin with `From`, too.
    const isAfterEmpty = bytes[at - 1] === 0x0a || (bytes[at - 1] === 0x0d && bytes[at - 2] === 0x0a);
    if (isFrom(at) && isAfterEmpty && isBeforeHeader(bytes, at + 1)) starts.push(at + 1);
    if (starts.length > MAX_MESSAGES) break;
  }
  return starts.map((start, index) => {
    const message = bytes.subarray(start, starts[index + 1] ?? bytes.length);
    return unquoted(message.subarray(message.indexOf(0x0a) + 1));
  });
}

/** Whether the line after the one at `at` is a header. */
function isBeforeHeader(bytes: Uint8Array, at: number): boolean {
  const end = bytes.indexOf(0x0a, at);
  return end >= 0 && /^[!-9;-~]+[ \t]*:/.test(binaryString(bytes.subarray(end + 1, end + 1 + LONGEST_NAME)));
}

/** Removes the mark before lines of a message that begin with `From `. */
function unquoted(message: Uint8Array): Uint8Array {
  const text = binaryString(message);
  if (!/^>+From /m.test(text)) return message;
  const lines = text.replace(/^>(>*From )/gm, '$1');
  return Uint8Array.from(lines, (character) => character.charCodeAt(0));
}

/** @param depth Number of messages to which this one is attached. */
async function addMessage(bytes: Uint8Array, out: TextBuilder, depth = 0): Promise<void> {
  const email = await parse(bytes);
  const headers: readonly (readonly [string, string])[] = [
    ['From', addresses(email.from === undefined ? [] : [email.from])],
    ['To', addresses(email.to ?? [])],
    ['Cc', addresses(email.cc ?? [])],
    ['Date', email.headers.find(({ key }) => key === 'date')?.value ?? ''],
    ['Subject', email.subject ?? ''],
  ];
  const named = headers.filter(([, value]) => value !== '');
  if (named.length === 0 && !email.text && !email.html) throw new UnreadableDocument('damaged');
  for (const [name, value] of named) {
    out.line();
    out.text(`${name}: ${value}`);
  }
  out.paragraph();
  const plain = (email.text ?? '').replace(/\r\n?/g, '\n').trim();
  if (email.html !== undefined && isOnlyHint(plain, email.html)) addHtmlText(email.html, out, false);
  else out.text(plain);
  out.paragraph();
  for (const { filename, mimeType, content, disposition } of email.attachments) {
    if (mimeType === 'message/rfc822' && depth < MAX_ATTACHED && typeof content !== 'string') {
      out.paragraph();
      out.text('---');
      out.paragraph();
      await addMessage(new Uint8Array(content), out, depth + 1);
      continue;
    }
    const isText = mimeType.startsWith('text/') && disposition !== 'attachment' && typeof content !== 'string';
    const text =
      isText && email.text === undefined && email.html === undefined ? decodeText(new Uint8Array(content)) : null;
    if (text !== null) {
      out.text(text.text.replace(/\r\n?/g, '\n').trim());
      out.paragraph();
      continue;
    }
    out.leave(PICTURE.test(mimeType) ? 'image' : 'attachment');
    if (filename === null) continue;
    out.line();
    out.text(`[${filename}]`);
  }
}

/** Whether the plain text, which some programs do not fill, says much less than the HTML of the same message. */
function isOnlyHint(plain: string, html: string): boolean {
  if (plain === '') return true;
  const shown = new TextBuilder(html.length);
  addHtmlText(html, shown, false);
  return wordsOf(shown.finish().text) > 3 * wordsOf(plain);
}

/** Counts words. A character of Chinese or Japanese counts as one, because these have no spaces. */
function wordsOf(text: string): number {
  return text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|\S+/gu)?.length ?? 0;
}

async function parse(bytes: Uint8Array): Promise<Email> {
  if (countLines(bytes) > MAX_LINES) throw new UnreadableDocument('tooComplex');
  try {
    return await parseMail(bytes, { maxNestingDepth: MAX_NESTING });
  } catch (thrown) {
    throw new UnreadableDocument(/nesting|size/i.test(String(thrown)) ? 'tooComplex' : 'damaged', thrown);
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

function addresses(found: readonly Address[]): string {
  return found
    .flatMap((one) => (one.group === undefined ? [one] : one.group))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || (address ?? '')))
    .join(', ');
}
