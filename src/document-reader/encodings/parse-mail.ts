import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime';
import { decodeBytes } from './decode-bytes.ts';
import { declaredEncoding } from './declared-encoding.ts';
import { decodeText } from './decode-text.ts';
import { isUtf8 } from './is-utf8.ts';
import { knownEncoding } from './known-encoding.ts';

/** What the parser knows of a part of a message. Its types do not tell; if it changes, tests of messages fail. */
interface MailPart {
  readonly state: 'header' | 'body' | 'finished';
  readonly contentType: { readonly parsed: { readonly value: string; readonly params: Record<string, string> } };
  /** The parser of the message. */
  readonly postalMime: object;
  content: ArrayBuffer | null;
  /** Takes the next line. */
  feed(line: Uint8Array<ArrayBuffer>): void;
  getTextContent(): string;
}

/** Names that programs also give to texts in other encodings. */
const DOUBTFUL = /^(?:|utf-?8|(?:us-)?ascii|ansi_x3\.4-1968|unknown-8bit|x-unknown|default)$/i;

/**
 * Parses a message. Headers that are neither encoded nor UTF-8, and texts without a true name of their encoding, are read in
 * UTF-8 or in the encoding that is most plausible. The parser reads both as UTF-8 or, if it does not know the name, as
 * windows-1252.
 */
export function parseMail(bytes: Uint8Array, options: PostalMimeOptions): Promise<Email> {
  const parser = new PostalMime(options);
  readAnyEncoding(Object.getPrototypeOf((parser as unknown as { readonly root: MailPart }).root) as MailPart);
  return parser.parse(bytes);
}

let isPrepared = false;

/** Changes the prototype of all parts, which the parser makes itself. */
function readAnyEncoding(prototype: MailPart): void {
  if (isPrepared) return;
  isPrepared = true;
  const { feed, getTextContent } = prototype;
  prototype.feed = function (this: MailPart, line) {
    feed.call(this, this.state === 'header' && !isUtf8(line) ? headerInUtf8(line, this.postalMime) : line);
  };
  prototype.getTextContent = function (this: MailPart) {
    const { value, params } = this.contentType.parsed;
    const bytes = new Uint8Array(this.content ?? new ArrayBuffer());
    const charset = params['charset']?.trim() ?? '';
    // The parser knows more names than the browser does.
    if (DOUBTFUL.test(charset) || (knownEncoding(charset) === undefined && isUtf8(bytes))) {
      this.content = inUtf8(bytes, value === 'text/html' ? declaredEncoding(bytes) : undefined).buffer;
      params['charset'] = 'utf-8';
    }
    return getTextContent.call(this);
  };
}

/** The encoding of the first header that is not UTF-8, which holds for the whole message: to find one takes a millisecond. */
const encodings = new WeakMap<object, string>();

function headerInUtf8(line: Uint8Array<ArrayBuffer>, message: object): Uint8Array<ArrayBuffer> {
  const encoding = encodings.get(message) ?? decodeText(line)?.encoding ?? 'windows-1252';
  if (!encoding.startsWith('utf-')) encodings.set(message, encoding);
  return new TextEncoder().encode(decodeBytes(line, encoding));
}

/** @param declared The encoding if it is not UTF-8. Default: the most plausible one. */
function inUtf8(bytes: Uint8Array<ArrayBuffer>, declared?: string): Uint8Array<ArrayBuffer> {
  const found = decodeText(bytes);
  const isUnicode = found === null || found.encoding.startsWith('utf-');
  const text = isUnicode || declared === undefined ? found?.text : decodeText(bytes, [], declared)?.text;
  return text === undefined ? bytes : new TextEncoder().encode(text);
}
