import type { LanguageModelTool } from './language-model-options.ts';

/** A call that the model has made, in the form of a chat completion. */
export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface SessionTools {
  /** The field `tools` of a chat completion; empty without tools. */
  readonly described: readonly object[];
  /**
   * Calls a tool.
   * @returns the tool's result as text for the model.
   * @throws any error of the tool.
   */
  run(call: ToolCall): Promise<string>;
}

/**
 * Reads the tools of a session, and rejects the schemas that web-platform-tests expects to be rejected.
 * @throws TypeError for a tool without name, description, schema or function, and for a name that occurs twice.
 */
export function readTools(tools: Iterable<LanguageModelTool> = []): SessionTools {
  const byName = new Map<string, LanguageModelTool>();
  const described = [...tools].map((tool) => {
    const { name, description, inputSchema, execute } = tool;
    if (typeof name !== 'string' || name === '') throw new TypeError('A tool must have a name.');
    if (byName.has(name)) throw new TypeError(`Two tools have the name "${name}".`);
    if (typeof description !== 'string' || description === '')
      throw new TypeError(`The tool "${name}" must have a description.`);
    if (typeof execute !== 'function') throw new TypeError(`The tool "${name}" must have a function "execute".`);
    byName.set(name, tool);
    return { type: 'function', function: { name, description, parameters: readSchema(name, inputSchema) } };
  });
  return {
    described,
    async run({ function: { name, arguments: input } }) {
      return String(await byName.get(name)!.execute(JSON.parse(input) as never));
    },
  };
}

/** Copies a schema, so that later changes by the page have no effect. */
function readSchema(name: string, schema: unknown): object {
  if (!isObject(schema)) throw new TypeError(`The inputSchema of the tool "${name}" must be an object.`);
  // Throws a TypeError for a schema that contains itself.
  const copy = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  const { type, properties = {}, required = [] } = copy;
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required))
    throw new TypeError(`The inputSchema of the tool "${name}" must be a JSON Schema of the type "object".`);
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
