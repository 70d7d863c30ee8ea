/** Formats of texts. Those other than `plain` have markup. */
export type TextFormat = 'html' | 'email' | 'notebook' | 'flatOpenDocument' | 'plain';

/** Matches the beginning of an HTML page, after comments and an XML declaration. */
const HTML =
  /^\ufeff?\s{0,1000}(?:<\?xml[^>]{0,500}\?>\s{0,1000})?(?:<!--(?:(?!-->)[^]){0,2000}-->\s{0,1000}){0,5}<(?:!doctype\s+html|html)\b/i;

/** Matches the beginning of a flat OpenDocument file, after what XML may have above its first element. */
const FLAT_OPEN_DOCUMENT = /^\s{0,1000}(?:(?:<[?!][^>]{0,2000}|\])>\s{0,1000}){0,30}<office:document\b/;

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
  // Sites offer a table for Excel, or a text for Word, as a part of an HTML page under these names.
  if (/^(?:xls|doc)$/.test(ending) && /^\s*<[a-z!]/i.test(head)) return 'html';
  if (FLAT_OPEN_DOCUMENT.test(head)) return 'flatOpenDocument';
  // Apple Mail writes the number of bytes above a message.
  const [headers = ''] = head.replace(/^\d+\s*\n/, '').split(/\r?\n\r?\n/, 1);
  const hasHeaders = /^(?:From .*\r?\n)?[\w-]+:[ \t]?.*(?:\r?\n(?:[\w-]+:|[ \t]).*)+/.test(headers);
  const isMail = /^(?:emlx?|mht|mhtml|mbox|mbx)$/.test(ending);
  if (hasHeaders && (isMail || (MAIL_HEADER.test(headers) && /^(?:from|subject|date):/im.test(headers))))
    return 'email';
  return 'plain';
}
