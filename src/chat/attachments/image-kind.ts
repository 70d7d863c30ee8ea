/** Formats of pictures by how their files begin. HEIC and TIFF are read by few browsers. */
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

/** Bytes that are looked at. */
export const IMAGE_HEAD = 16;

/** What kind of picture a file is, by its first {@link IMAGE_HEAD} bytes; null where it is none that is known. */
export function imageKind(head: Uint8Array): ImageKind | null {
  const text = String.fromCharCode(...head);
  return BEGINNINGS.find(([, beginning]) => beginning.test(text))?.[0] ?? null;
}

/** Whether a GIF has more than one picture: before each there is a block that says how long it stays. */
export function moves(gif: Uint8Array): boolean {
  let pictures = 0;
  for (let at = gif.indexOf(0x21); at >= 0 && pictures < 2; at = gif.indexOf(0x21, at + 1)) {
    if (gif[at + 1] === 0xf9 && gif[at + 2] === 4 && gif[at + 7] === 0) pictures++;
  }
  return pictures > 1;
}
