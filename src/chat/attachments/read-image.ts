import { attachmentStrings } from '../strings/attachment-strings.ts';
import { isAnimated, type ImageKind } from './image-kind.ts';

/** Maximum pixels of the longer side. Models use no more, and WebLLM needs 12 bytes of GPU memory per pixel. */
const MAX_SIDE = 1536;

/** Images with more pixels are refused. Decoding takes four bytes per pixel, and a small file may claim billions. */
const MAX_PIXELS = 100_000_000;

/** An image whose PNG has more bytes is encoded as JPEG. */
const LARGEST_PNG = 1_500_000;

export interface ReadImage {
  /** A `data:` URL. */
  readonly url: string;
  /** What the image has lost: resolution, or all frames but the first. */
  readonly note?: 'smaller' | 'firstPicture';
}

/**
 * Decodes an image, scales it down and encodes it again. Only the pixels remain: no location or other metadata, and
 * nothing malformed that could harm another decoder.
 * @param kind The format by its first bytes; null if only the name says that it is an image.
 * @throws Error that tells the user why this browser cannot show the image.
 * @throws the signal's reason if it aborts before the image is encoded.
 */
export async function readImage(file: File, kind: ImageKind | null, signal: AbortSignal): Promise<ReadImage> {
  const { width, height } = await sizeOf(file).catch((cause: unknown) => {
    const isForeign = kind === 'heic' || kind === 'avif' || kind === 'tiff';
    const words = isForeign ? attachmentStrings.imageForeign(kind.toUpperCase()) : attachmentStrings.imageBroken;
    throw new Error(words, { cause });
  });
  signal.throwIfAborted();
  if (width * height > MAX_PIXELS) throw new Error(attachmentStrings.imageTooLarge);
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
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
  if (kind === 'gif' && isAnimated(new Uint8Array(await file.arrayBuffer()))) return { url, note: 'firstPicture' };
  return scale < 1 ? { url, note: 'smaller' } : { url };
}

/** Reads the size from the image's header, before its pixels are decoded. */
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
  // JPEG has no transparency; transparent pixels would become black.
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
