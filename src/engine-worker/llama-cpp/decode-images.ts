import type { ChatMessage } from '../../shared/engine/completion-request.ts';
import { unreadableImage } from '../../shared/engine/engine-errors.ts';

/** Image files that llama.cpp can read, by the address of the image in a request. */
export type DecodedImages = ReadonlyMap<string, ArrayBuffer>;

/** Maximum pixels of the longer side. Image encoders use fewer, and llama.cpp holds all pixels in its own memory. */
const MAX_SIDE = 2048;

/** Returns the addresses of the images in a conversation, each once. */
export function imageAddresses(messages: readonly ChatMessage[]): readonly string[] {
  const urls = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'image' ? [part.url] : [])),
  );
  return [...new Set(urls)];
}

/**
 * Decodes the images of a conversation and encodes them again, because llama.cpp reads fewer formats than the browser
 * (no WebP) and ignores the rotation that a photo states.
 * @throws ApiError `invalid_value` for an image that the browser cannot read; the signal's reason.
 */
export async function decodeImages(messages: readonly ChatMessage[], signal: AbortSignal): Promise<DecodedImages> {
  const images = new Map<string, ArrayBuffer>();
  // One after the other: each takes four bytes of memory per pixel.
  for (const url of imageAddresses(messages)) {
    try {
      images.set(url, await toPng(await (await fetch(url, { signal })).blob()));
    } catch (thrown) {
      signal.throwIfAborted();
      throw unreadableImage(thrown);
    }
  }
  signal.throwIfAborted();
  return images;
}

/** @throws any error of the browser if the file is not an image. */
async function toPng(file: Blob): Promise<ArrayBuffer> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width!, height!);
  const drawing = canvas.getContext('2d')!;
  // llama.cpp ignores transparency. Without this, transparent pixels would become black.
  drawing.fillStyle = 'white';
  drawing.fillRect(0, 0, width!, height!);
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(bitmap, 0, 0, width!, height!);
  bitmap.close();
  return (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
}
