import { knownEncoding } from './known-encoding.ts';

/** Matches the XML declaration, or the element of an HTML page, that names an encoding. */
const DECLARATION =
  /^(?:\s*<\?xml\b[^>]*?\sencoding\s*=\s*["']([\w.:-]{2,40})["'])|<meta\b[^>]{0,300}?charset\s*=\s*["']?([\w:-]{2,40})/i;

/** Returns the encoding that an XML file or an HTML page declares, if it exists. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const [, ofXml, ofHtml] = DECLARATION.exec(head) ?? [];
  const encoding = knownEncoding(ofXml ?? ofHtml ?? '');
  // The declaration itself can be read, so that these are not bytes of UTF-16.
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}
