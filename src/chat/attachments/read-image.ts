import { attachmentStrings } from '../strings/attachments.ts';
import { moves, type ImageKind } from './image-kind.ts';

/** Pixels of the longer side: more no model looks at, and WebLLM puts each on the graphics device, with 12 bytes. */
const LONGEST_SIDE = 1536;

/** Pixels of a picture that is decoded: each takes four bytes, and a small file may say that it has billions. */
const MOST_PIXELS = 100_000_000;

/** Bytes of a PNG; a picture of more is kept as a JPEG. */
const LARGEST_PNG = 1_500_000;

/** A picture as a model is given it. */
export interface ReadImage {
  /** A `data:` address. */
  readonly url: string;
  /** What was left out of it. */
  readonly note?: 'smaller' | 'firstPicture';
}

/**
 * Reads a picture anew, as small as models look at it. Nothing but its pixels is left, so neither does it tell where it was
 * taken, nor is there anything in it that a reader might stumble over.
 * @param kind By its first bytes; null where only its name says that it is a picture.
 * @throws Error that says in words why this browser cannot show it; the signal's reason.
 */
export async function readImage(file: File, kind: ImageKind | null, signal: AbortSignal): Promise<ReadImage> {
  const { width, height } = await sizeOf(file).catch((cause: unknown) => {
    const isForeign = kind === 'heic' || kind === 'avif' || kind === 'tiff';
    const words = isForeign ? attachmentStrings.imageForeign(kind.toUpperCase()) : attachmentStrings.imageBroken;
    throw new Error(words, { cause });
  });
  signal.throwIfAborted();
  if (width * height > MOST_PIXELS) throw new Error(attachmentStrings.imageTooLarge);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const size = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const bitmap = await createImageBitmap(file, {
    resizeWidth: size[0],
    resizeHeight: size[1],
    resizeQuality: 'high',
  }).catch((cause: unknown) => {
    throw new Error(attachmentStrings.imageBroken, { cause });
  });
  const canvas = new OffscreenCanvas(...size);
  const drawing = canvas.getContext('2d')!;
  drawing.drawImage(bitmap, 0, 0);
  bitmap.close();
  const url = await addressOf(await encode(canvas, drawing, kind === 'jpeg'));
  signal.throwIfAborted();
  if (kind === 'gif' && moves(new Uint8Array(await file.arrayBuffer()))) return { url, note: 'firstPicture' };
  return scale < 1 ? { url, note: 'smaller' } : { url };
}

/** What it says of itself, before any of it is decoded. */
async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  const image = new Image();
  const source = URL.createObjectURL(file);
  try {
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve);
      image.addEventListener('error', reject);
      image.src = source;
    });
    return { width: image.naturalWidth, height: image.naturalHeight };
  } finally {
    URL.revokeObjectURL(source);
  }
}

async function encode(
  canvas: OffscreenCanvas,
  drawing: OffscreenCanvasRenderingContext2D,
  isPhoto: boolean,
): Promise<Blob> {
  const drawn = isPhoto ? null : await canvas.convertToBlob({ type: 'image/png' });
  if (drawn !== null && drawn.size <= LARGEST_PNG) return drawn;
  // A JPEG has nothing to see through, which would be black.
  drawing.globalCompositeOperation = 'destination-over';
  drawing.fillStyle = 'white';
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

function addressOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(blob);
  });
}
