import type {
  DocumentProblem,
  DocumentText,
  ReadDocument,
  ReadingOptions,
} from '../shared/documents/document-reading.ts';
import { textFormat } from '../shared/documents/text-format.ts';
import { binaryString } from './binary-string.ts';
import { withoutDataAddresses } from './data-addresses.ts';
import { declaredEncoding } from './encodings/declared-encoding.ts';
import { decodeText, type DecodedText } from './encodings/decode-text.ts';
import { addHtmlText } from './html-text.ts';
import { readDocx } from './office/read-docx.ts';
import { readPptx } from './office/read-pptx.ts';
import { readXlsx } from './office/read-xlsx.ts';
import { openPackage, type DocumentPackage } from './open-package.ts';
import { readEmail } from './read-email.ts';
import { readEpub } from './read-epub.ts';
import { isNotebook, readNotebook } from './read-notebook.ts';
import { addOpenDocumentXml, readOpenDocument } from './read-open-document.ts';
import { readRtf } from './read-rtf.ts';
import { isSubtitles, readSubtitles } from './read-subtitles.ts';
import { packageFormat, type PackageFormat } from './package-format.ts';
import { isTerminalText, terminalText, withLineFeeds } from './terminal-text.ts';
import { TextBuilder } from './text-builder.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/** Of a text without markup, the bytes that are read. */
const MAX_PLAIN_TEXT = 4_000_000;

/** Beginning of a text by which its format is recognised, in characters. */
const HEAD = 20_000;

const PACKAGE_READERS: Readonly<Record<PackageFormat, (source: DocumentPackage, out: TextBuilder) => void>> = {
  docx: readDocx,
  xlsx: readXlsx,
  pptx: readPptx,
  openDocument: readOpenDocument,
  epub: readEpub,
};

/**
 * Reads the text of any file but a PDF or a picture. The format is recognised by the content as far as possible.
 * @throws UnreadableDocument if there is no text for a model.
 */
export async function readDocument(file: Blob, options: ReadingOptions): Promise<ReadDocument> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 32).arrayBuffer()));
  const out = new TextBuilder(options.most, options.marksPages);
  if (head.startsWith('\xd0\xcf\x11\xe0')) throw new UnreadableDocument('oldOffice');
  if (head.startsWith('PK\x03\x04')) {
    const source = openPackage(await wholeFile(file, options));
    const format = packageFormat(source);
    if (format === null) throw new UnreadableDocument(problemOf(source, options.name));
    PACKAGE_READERS[format](source, out);
    return withText(out);
  }
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(head)) {
    const source = binaryString(await wholeFile(file, options));
    readRtf(source.slice(source.indexOf('{')), out);
    return withText(out);
  }
  return readText(file, options, out);
}

async function readText(file: Blob, options: ReadingOptions, out: TextBuilder): Promise<ReadDocument> {
  const { name, most } = options;
  const beginning = new Uint8Array(await file.slice(0, MAX_PLAIN_TEXT).arrayBuffer());
  const begun = decodeText(beginning, options.languages, options.encoding);
  if (begun === null) throw new UnreadableDocument('notText');
  const format = textFormat(begun.text.slice(0, HEAD), name);
  // Other JSON may have cells, too, and lines of JSON may be notebooks.
  const isOther = format === 'notebook' && !/\.ipynb$/i.test(name) && !isNotebook(begun.text);
  if (format === 'plain' || isOther) {
    const decoded = /^\s*<\?xml\b/.test(begun.text) ? decodeMarkup(beginning, begun, options) : begun;
    const read = plainText(decoded.text, out);
    if (read.text === '') throw new UnreadableDocument('noText');
    const isCut = file.size > MAX_PLAIN_TEXT || read.text.length > most;
    return { ...read, text: read.text.slice(0, most), isCut, ...offeredEncodings(decoded, beginning) };
  }
  const bytes = await wholeFile(file, options);
  if (format === 'email') {
    await readEmail(bytes, out);
    return withText(out);
  }
  const decoded = decodeMarkup(bytes, begun, options);
  if (format === 'html') addHtmlText(decoded.text, out);
  else if (format === 'notebook') readNotebook(decoded.text, out);
  else addOpenDocumentXml(decoded.text, decoded.text, out);
  const read = withText(out);
  return { ...read, text: read.text.slice(0, most), ...offeredEncodings(decoded, bytes) };
}

/** Decodes a text whose markup may declare an encoding, which counts unless the bytes are Unicode or the user has chosen. */
function decodeMarkup(
  bytes: Uint8Array<ArrayBuffer>,
  begun: DecodedText,
  { languages, encoding }: ReadingOptions,
): DecodedText {
  const isUnicode = begun.encoding.startsWith('utf-');
  const declared = encoding ?? (isUnicode ? undefined : declaredEncoding(bytes));
  return decodeText(bytes, languages, declared) ?? decodeText(bytes, languages, encoding) ?? begun;
}

/** Reads a text without markup. It stays as it is, but for what a person does not see. */
function plainText(source: string, out: TextBuilder): DocumentText {
  const lines = withLineFeeds(source);
  const shown = isTerminalText(lines) ? terminalText(lines) : { text: lines, overwritten: 0 };
  out.leave('overwritten', shown.overwritten);
  if (isSubtitles(shown.text)) {
    readSubtitles(shown.text, out);
    return out.finish();
  }
  const [text, files] = withoutDataAddresses(shown.text);
  out.leave('image', files);
  return { ...out.finish(), text };
}

async function wholeFile(file: Blob, { largest }: ReadingOptions): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > largest) throw new UnreadableDocument('tooLarge');
  return new Uint8Array(await file.arrayBuffer());
}

function withText(out: TextBuilder): DocumentText {
  const read = out.finish();
  if (read.text === '') throw new UnreadableDocument('noText');
  return read;
}

/** Returns why an archive is no document that can be read. Names of damaged archives are nonsense. */
function problemOf({ names }: DocumentPackage, name: string): DocumentProblem {
  const isForeign = names.some((one) => one === '[Content_Types].xml' || one === 'mimetype' || one.endsWith('.iwa'));
  // A document of a program whose format has no reader, such as Pages or Excel's binary one.
  if (isForeign) return 'unknownFormat';
  return /\.(?:docx|xlsx|pptx|od[tsp]|epub)$/i.test(name) ? 'damaged' : 'archive';
}

function offeredEncodings(
  { encoding, others }: DecodedText,
  bytes: Uint8Array<ArrayBuffer>,
): Pick<ReadDocument, 'offered'> {
  if (others.length === 0) return {};
  const offered = [encoding, ...others].map((one) => ({
    encoding: one,
    preview: previewOf(decodeText(bytes, [], one)?.text ?? ''),
  }));
  return { offered };
}

/** Returns the first characters that differ between the encodings. */
function previewOf(text: string): string {
  const [found = ''] = /[^\0-\x7f][^\n]{0,23}/u.exec(text) ?? [];
  return found;
}
