import { expect, test } from 'vitest';
import { imageKind, isAnimated, type ImageKind } from '../../../src/chat/attachments/image-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test.each<[string, ImageKind | null]>([
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['\xff\xd8\xff\xe0', 'jpeg'],
  ['GIF89a\x01\0', 'gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
  ['\0\0\0\x20ftypavif', 'avif'],
  ['\0\0\0\x18ftypheic', 'heic'],
  ['\0\0\0\x18ftypmif1', 'heic'],
  ['II*\0\x08\0\0\0', 'tiff'],
  ['\0\0\0\x20ftypisom', null],
  ['GIFs are files', null],
  ['RIFF\x10\0\0\0WAVEfmt ', null],
  ['', null],
])('a file that begins with %j is %s', (head, kind) => {
  expect(imageKind(bytes(head))).toBe(kind);
});

test('a GIF with a second frame is animated', () => {
  const picture = `!\xf9\x04\0\x0a\0\0\0,${'\0'.repeat(9)}\x02\x02D\x01\0`;
  expect(isAnimated(bytes(`GIF89a${picture};`))).toBe(false);
  expect(isAnimated(bytes(`GIF89a${picture}${picture};`))).toBe(true);
});
