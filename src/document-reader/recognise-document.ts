import type { DocumentPackage } from './open-package.ts';

/** Formats in a ZIP archive. */
export type PackageFormat = 'docx' | 'xlsx' | 'pptx' | 'openDocument' | 'epub';

/** Formats that are text with markup. */
export type TextFormat = 'html' | 'email' | 'notebook' | 'flatOpenDocument' | 'plain';

/** Returns what the entries of an archive say about it; null if it is no document that can be read. */
export function packageFormat(source: DocumentPackage): PackageFormat | null {
  const { names } = source;
  const mediaType = names.includes('mimetype') ? (source.text('mimetype') ?? '').trim() : '';
  if (mediaType === 'application/epub+zip' || names.includes('META-INF/container.xml')) return 'epub';
  if (mediaType.startsWith('application/vnd.oasis.opendocument.') && names.includes('content.xml'))
    return 'openDocument';
  const has = (folder: string) => names.some((name) => name.startsWith(folder) && name.endsWith('.xml'));
  if (!names.includes('[Content_Types].xml')) return null;
  if (has('word/')) return 'docx';
  if (names.some((name) => /^xl\/.*workbook\.xml$/.test(name))) return 'xlsx';
  return has('ppt/') ? 'pptx' : null;
}

/** Matches the beginning of an HTML page, after comments and an XML declaration. */
const HTML =
  /^\ufeff?\s{0,1000}(?:<\?xml[^>]{0,500}\?>\s{0,1000})?(?:<!--(?:(?!-->)[^]){0,2000}-->\s{0,1000}){0,5}<(?:!doctype\s+html|html)\b/i;

/** Matches lines that only mail programs write. */
const MAIL_HEADER = /^(?:received|return-path|delivered-to|mime-version|message-id|x-mozilla-status|dkim-signature):/im;

/**
 * Returns the format of a text.
 * @param head Its beginning; a few thousand characters suffice.
 * @param name The file's name.
 */
export function textFormat(head: string, name: string): TextFormat {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'ipynb') return 'notebook';
  if (/^\s*\{/.test(head) && /"cells"\s*:\s*\[/.test(head) && /"cell_type"/.test(head)) return 'notebook';
  if (HTML.test(head) || (/^x?html?$/.test(ending) && /<[a-z!]/i.test(head))) return 'html';
  if (/<office:document\b/.test(head)) return 'flatOpenDocument';
  // Apple Mail writes the number of bytes above a message.
  const [headers = ''] = head.replace(/^\d+\s*\n/, '').split(/\r?\n\r?\n/, 1);
  const hasHeaders = /^(?:From .*\r?\n)?[\w-]+:[ \t]?.*(?:\r?\n(?:[\w-]+:|[ \t]).*)+/.test(headers);
  const isMail = /^(?:emlx?|mht|mhtml|mbox|mbx)$/.test(ending);
  if (hasHeaders && (isMail || (MAIL_HEADER.test(headers) && /^(?:from|subject|date):/im.test(headers))))
    return 'email';
  return 'plain';
}
