import { expect, test } from 'vitest';
import { isPdf } from '../../../src/shared/documents/is-pdf.ts';

test.for([
  ['begins with its first line', ['%PDF-1.7\n1 0 obj'], true],
  ['has other words before it, and is whole', ['HTTP/1.1 200 OK\n\n%PDF-1.7\n1 0 obj\n%%EOF\n'], true],
  ['has other bytes before it', [new Uint8Array([0xff, 0xfe, 0x0a]), '%PDF-1.7\n1 0 obj'], true],
  ['has other words before it, and bytes after it', ['\n%PDF-1.7\n%', new Uint8Array([0xe2, 0xe3, 0xcf, 0xd3])], true],
  ['is a note about PDF', ['Every file begins with %PDF-1.7, then come its objects. Größe: 1 kB.'], false],
  ['is a script that looks for one', ["if (head.startsWith('%PDF-')) return true;"], false],
  ['is a text', ['Hello'], false],
] as const)('of files, one that %s is a PDF: %o', async ([, parts, is]) => {
  expect(await isPdf(new Blob([...parts]))).toBe(is);
});
