/** The end of the name of one file of a split model, such as `-00001-of-00003.gguf`. */
const PART = /-(\d{5})-of-(\d{5})(\.gguf)$/i;

/**
 * The addresses of all files of a GGUF model, in order.
 * @param address Of one of them.
 */
export function partAddresses(address: string): readonly string[] {
  const url = new URL(address);
  const count = Number(PART.exec(url.pathname)?.[2] ?? 0);
  // A name that only looks like a part's is a whole file.
  if (count < 2 || count > MAX_PARTS) return [address];
  return Array.from({ length: count }, (_, index) => {
    const part = new URL(url);
    part.pathname = url.pathname.replace(PART, `-${digits(index + 1)}-of-$2$3`);
    return part.href;
  });
}

/** llama.cpp splits a model into fewer files. */
const MAX_PARTS = 500;

/** The number of a part, from 1, and how many there are; null for a file that is no part. */
export function partNumber(name: string): { readonly part: number; readonly count: number } | null {
  const [, part, count] = PART.exec(name) ?? [];
  return part === undefined ? null : { part: Number(part), count: Number(count) };
}

/** The name of a file without what tells its part and format. */
export function nameOfModel(file: string): string {
  return file.replace(PART, '').replace(/\.gguf$/i, '');
}

function digits(value: number): string {
  return String(value).padStart(5, '0');
}
