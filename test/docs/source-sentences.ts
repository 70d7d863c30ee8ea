import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** A sentence that the code may show, with `…` for each inserted value, and the code of its error. */
export interface SourceSentence {
  readonly text: string;
  /** Null if the source does not contain the code, as in a table of strings. */
  readonly code: string | null;
}

/** Functions that create an `ApiError` with a fixed code; their first argument is the sentence. */
const ERROR_MAKERS: Readonly<Record<string, string>> = { engineUnavailable: 'engine_unavailable' };

/**
 * Returns every sentence in a source file that users may see: messages of `ApiError`s and, in a table of strings, all
 * texts.
 * @param path Path of a TypeScript file.
 */
export function sourceSentences(path: string): readonly SourceSentence[] {
  const isTable = /[\\/]strings[\\/]/.test(path);
  const program = parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }) as unknown as Node;
  const constants = readConstants(program);
  const found: SourceSentence[] = [];
  const visit = (node: Node, code: string | null): void => {
    const text = foldText(node);
    if (text !== null) {
      if ((isTable || code !== null) && isSentence(text)) found.push({ text, code });
      return;
    }
    if (node.type === 'Identifier' && code !== null) {
      for (const text of constants.get(String(node['name'])) ?? []) if (isSentence(text)) found.push({ text, code });
    }
    const made = errorCode(node);
    // Later arguments, such as the cause, are not shown.
    if (made !== null) return (node['arguments'] as readonly Node[]).slice(0, 2).forEach((given) => visit(given, made));
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, code);
  };
  visit(program, null);
  return found;
}

const GAP = '…';

/** Whether a text is a sentence: it has three words or ends with a full stop, and is not code. */
const isSentence = (text: string): boolean =>
  /[a-z]{3}/i.test(text) && (/\s.*\s/s.test(text) || text.endsWith('.')) && !/^\w+\(\{.*\}\)$/.test(text);

/** Returns the texts of the constants in a file, by name. */
function readConstants(program: Node): ReadonlyMap<string, readonly string[]> {
  const constants = new Map<string, string[]>();
  const visit = (node: Node): void => {
    const { id, init } = node as { readonly id?: { readonly name?: string }; readonly init?: Node | null };
    const text = node.type === 'VariableDeclarator' && init ? foldText(init) : null;
    if (text !== null && id?.name) constants.set(id.name, [...(constants.get(id.name) ?? []), text]);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(program);
  return constants;
}

/**
 * Returns the text of an expression, with {@link GAP} for each part that is not constant; null for other expressions.
 */
function foldText(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type === 'TemplateLiteral') {
    const parts = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
    return parts.map(({ value }) => value.cooked).join(GAP);
  }
  if (node.type === 'BinaryExpression' && node['operator'] === '+') {
    const [left, right] = [node['left'], node['right']].map((side) => foldText(side as Node));
    return left === null && right === null ? null : `${left ?? GAP}${right ?? GAP}`;
  }
  return null;
}

/** Returns the code of the error that an expression creates; null if it creates none. */
function errorCode(node: Node): string | null {
  const { callee, arguments: given } = node as { callee?: { name?: string }; arguments?: readonly Node[] };
  if (node.type === 'CallExpression') return ERROR_MAKERS[callee?.name ?? ''] ?? null;
  if (node.type !== 'NewExpression' || callee?.name !== 'ApiError') return null;
  const code = given?.[0]?.['value'];
  return typeof code === 'string' ? code : null;
}
