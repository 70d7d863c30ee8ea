/** Values of the constants that kernels declare with `override`. */
export type Constants = Record<string, number>;

/**
 * Expands `// repeat name COUNT` … `// end`: writes the lines between COUNT times, with `{name}` replaced by 0, 1, …
 * and `{name+CONSTANT}` by a sum. Repeats nest.
 */
export function expandRepeats(code: string, constants: Constants): string {
  const lines = code.split('\n');
  const expanded: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const repeat = /^\s*\/\/ repeat (\w+) (\w+)$/.exec(lines[at]!);
    if (!repeat) {
      expanded.push(lines[at]!);
      continue;
    }
    const end = findEnd(lines, at);
    const body = lines.slice(at + 1, end).join('\n');
    const [, name, count] = repeat;
    for (let index = 0; index < valueOf(count!, constants); index++) {
      expanded.push(expandRepeats(substitute(body, name!, index, constants), constants));
    }
    at = end;
  }
  return expanded.join('\n');
}

function findEnd(lines: string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    if (/^\s*\/\/ repeat /.test(lines[at]!)) depth++;
    if (/^\s*\/\/ end$/.test(lines[at]!) && --depth === 0) return at;
  }
  throw new Error(`A repeat has no end: ${lines[start]}`);
}

function substitute(body: string, name: string, index: number, constants: Constants): string {
  return body.replace(new RegExp(`\\{${name}(?:\\+(\\w+))?\\}`, 'g'), (_, added?: string) =>
    String(index + (added ? valueOf(added, constants) : 0)),
  );
}

function valueOf(text: string, constants: Constants): number {
  const value = constants[text] ?? Number(text);
  if (!Number.isInteger(value)) throw new Error(`A repeat uses the unknown constant ${text}`);
  return value;
}
