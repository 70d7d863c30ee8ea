/**
 * A value as readable text for the user and the model: strings are unchanged, everything else becomes JSON without
 * omissions. The source of this function is evaluated inside the sandbox, so it must use only the language's own
 * globals.
 */
export function valueAsText(value: unknown): string {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this source reaches the sandbox
  const plain = (_key: string, part: unknown): unknown => {
    if (part instanceof Map || part instanceof Set || ArrayBuffer.isView(part)) return [...(part as Set<unknown>)];
    if (part instanceof Error || part instanceof RegExp) return String(part);
    if (typeof part === 'number') return Number.isFinite(part) ? part : String(part);
    if (typeof part === 'bigint') return `${part}n`;
    return part === undefined || typeof part === 'function' || typeof part === 'symbol' ? String(part) : part;
  };
  if (typeof value === 'string') return value;
  const top = plain('', value);
  if (typeof top !== 'object' || top === null) return String(top);
  try {
    return JSON.stringify(top, plain);
  } catch {
    // Circular values cannot be written as JSON.
    return String(value);
  }
}
