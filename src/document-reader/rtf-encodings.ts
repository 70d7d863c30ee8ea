import { decodeBytes } from './encodings/decode-bytes.ts';
import { knownEncoding } from './encodings/known-encoding.ts';

/** Encodings by the number that a font declares. */
const CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** Encodings by the number of the document's code page, if its name does not follow from the number. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  437: 'cp437',
  850: 'cp850',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  866: 'ibm866',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** Decodes bytes that are written as they are, which old programs do. */
export function decoded(text: string, encoding: string): string {
  return decodeBytes(
    Uint8Array.from(text, (character) => character.charCodeAt(0)),
    encoding,
  );
}

/** Whether bytes end within a character of two bytes. */
export function isIncomplete(bytes: readonly number[], encoding: string): boolean {
  if (!/^(?:shift_jis|gb18030|euc-kr|big5)$/.test(encoding)) return false;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    const isKatakana = encoding === 'shift_jis' && byte >= 0xa1 && byte <= 0xdf;
    at += byte > 0x80 && byte < 0xff && !isKatakana ? 2 : 1;
  }
  return at > bytes.length;
}

/** Returns the encoding of a font; undefined if it is that of the document. */
export function encodingOfFont(charset: number): string | undefined {
  return CHARSETS[charset];
}

/** Returns the encoding of a code page, Western Europe's if it is not known. */
export function encodingOfCodePage(page: number): string {
  return CODE_PAGES[page] ?? knownEncoding(`windows-${page}`) ?? 'windows-1252';
}
