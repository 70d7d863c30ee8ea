/**
 * Converts an image (bytes of a file, or anything that can be drawn) to a `data:` address. @throws TypeError for other
 * values.
 */
export async function imageAddress(value: unknown): Promise<string> {
  if (value instanceof Blob) return dataAddress(value);
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return dataAddress(new Blob([value as BufferSource]));
  const bitmap = await createImageBitmap(value as ImageBitmapSource);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  bitmap.close();
  return dataAddress(await canvas.convertToBlob());
}

/** Files without a type are labelled as PNG; browsers detect the actual format from the bytes. */
async function dataAddress(file: Blob): Promise<string> {
  const typed = file.type === '' ? new Blob([file], { type: 'image/png' }) : file;
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new DOMException('Unreadable.', 'NotReadableError')));
    reader.readAsDataURL(typed);
  });
}
