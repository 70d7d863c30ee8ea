/**
 * Image formats that are recognised by their first bytes. HEIC and TIFF are included to name them in an error: few
 * browsers decode them.
 */
export type ImageKind = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'heic' | 'tiff';

const BEGINNINGS: readonly (readonly [ImageKind, RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['avif', /^[^]{4}ftypavi[fs]/],
  ['heic', /^[^]{4}ftyp(hei|hev|mif1|msf1)/],
  ['tiff', /^(II\*\0|MM\0\*)/],
];

/** Number of bytes needed to recognise a format. */
export const IMAGE_HEAD = 16;

/** Recognises a format by the first {@link IMAGE_HEAD} bytes; null if none matches. */
export function imageKind(head: Uint8Array): ImageKind | null {
  const text = String.fromCharCode(...head);
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0] ?? null;
}

/**
 * Whether a GIF has more than one frame. Counts graphic control extensions (bytes 21 F9 04), one of which precedes each
 * frame.
 */
export function isAnimated(gif: Uint8Array): boolean {
  let pictures = 0;
  for (let at = gif.indexOf(0x21); at >= 0 && pictures < 2; at = gif.indexOf(0x21, at + 1)) {
    if (gif[at + 1] === 0xf9 && gif[at + 2] === 4 && gif[at + 7] === 0) pictures++;
  }
  return pictures > 1;
}
