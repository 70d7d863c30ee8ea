/** Matches the end of the name of one part of a split model, such as `-00001-of-00003.gguf`. */
const PART = /-(\d{5})-of-(\d{5})(\.gguf)$/i;

/** Matches it anywhere in an address: some servers take the name of the file in the query, or in the middle of the path. */
const PART_IN_ADDRESS = /-\d{5}-of-(\d{5})(\.gguf)(?![\w.-])/gi;

/**
 * Returns the addresses of all files of a GGUF model, in order.
 * @param address Address of any one of them.
 */
export function partAddresses(address: string): readonly string[] {
  const { pathname, search } = new URL(address);
  const counts = [...`${pathname}${search}`.matchAll(PART_IN_ADDRESS)].map(([, count]) => Number(count));
  const [count = 0] = counts;
  // With such a number the name only looks like that of a part, so this is a whole file.
  if (count < 2 || count > MAX_PARTS || counts.some((other) => other !== count)) return [address];
  return Array.from({ length: count }, (_, index) => {
    const part = new URL(address);
    const renamed = (text: string) => text.replace(PART_IN_ADDRESS, `-${digits(index + 1)}-of-$1$2`);
    part.pathname = renamed(pathname);
    part.search = renamed(search);
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

/**
 * Returns the name of the file at an address: mostly the last part of the path. Some servers take the name in the query,
 * or elsewhere in the path.
 */
export function fileNameAt(address: string): string {
  const { pathname, searchParams } = new URL(address);
  const segments = pathname.split('/').map(decoded);
  const last = segments.at(-1) ?? '';
  if (/\.gguf$/i.test(last)) return last;
  const named = [...searchParams.values(), ...segments].find((text) => /\.gguf$/i.test(text));
  return named?.split('/').at(-1) ?? last;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns a file's name without its part number and extension. */
export function nameOfModel(file: string): string {
  return file.replace(PART, '').replace(/\.gguf$/i, '');
}

function digits(value: number): string {
  return String(value).padStart(5, '0');
}
