import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** A sentence that code may say, with `…` for what is known only then, and the error code that it is said with. */
export interface SourceSentence {
  readonly text: string;
  /** Null where the file does not tell: in a table of strings, for instance. */
  readonly code: string | null;
}

/** Functions that make an `ApiError` of one code of a sentence that they are given first. */
const ERROR_MAKERS: Readonly<Record<string, string>> = { engineUnavailable: 'engine_unavailable' };

/**
 * Every sentence that a source file has for somebody: what it makes an `ApiError` of, and, in a table of strings, each text.
 * @param path Of a TypeScript file.
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
    // The cause, and what else may come behind the sentence, is not said.
    if (made !== null) return (node['arguments'] as readonly Node[]).slice(0, 2).forEach((given) => visit(given, made));
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, code);
  };
  visit(program, null);
  return found;
}

const GAP = '…';

/** A text of three words or with a full stop is a sentence; a piece of code is not. */
const isSentence = (text: string): boolean =>
  /[a-z]{3}/i.test(text) && (/\s.*\s/s.test(text) || text.endsWith('.')) && !/^\w+\(\{.*\}\)$/.test(text);

/** Texts of the constants in a file, by name. */
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

/** The text that an expression gives; {@link GAP} for one that is no text as it stands, null for what is no expression. */
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

/** The code of the error that an expression makes. */
function errorCode(node: Node): string | null {
  const { callee, arguments: given } = node as { callee?: { name?: string }; arguments?: readonly Node[] };
  if (node.type === 'CallExpression') return ERROR_MAKERS[callee?.name ?? ''] ?? null;
  if (node.type !== 'NewExpression' || callee?.name !== 'ApiError') return null;
  const code = given?.[0]?.['value'];
  return typeof code === 'string' ? code : null;
}
