/** Matches the end of the name of one part of a split model, such as `-00001-of-00003.gguf`. */
const PART = /-(\d{5})-of-(\d{5})(\.gguf)$/i;

/**
 * Returns the addresses of all files of a GGUF model, in order.
 * @param address Address of any one of them.
 */
export function partAddresses(address: string): readonly string[] {
  const url = new URL(address);
  const count = Number(PART.exec(url.pathname)?.[2] ?? 0);
  // With such a number the name only looks like that of a part, so this is a whole file.
  if (count < 2 || count > MAX_PARTS) return [address];
  return Array.from({ length: count }, (_, index) => {
    const part = new URL(url);
    part.pathname = url.pathname.replace(PART, `-${digits(index + 1)}-of-$2$3`);
    return part.href;
  });
}

/** Limit of parts, above the number that llama.cpp makes. */
const MAX_PARTS = 500;

/** Returns the number of a part, from 1, and the count of parts; null for a file that is not a part. */
export function partNumber(name: string): { readonly part: number; readonly count: number } | null {
  const [, part, count] = PART.exec(name) ?? [];
  return part === undefined ? null : { part: Number(part), count: Number(count) };
}

/** Returns a file's name without its part number and extension. */
export function nameOfModel(file: string): string {
  return file.replace(PART, '').replace(/\.gguf$/i, '');
}

function digits(value: number): string {
  return String(value).padStart(5, '0');
}
