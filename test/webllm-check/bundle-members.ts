/** WebLLM's classes, and the members of each that lead to objects of other classes. */
const CLASSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  LLMChatPipeline: { tvm: 'Instance', device: 'DLDevice', tokenizer: 'Tokenizer' },
  EmbeddingPipeline: { tvm: 'Instance', device: 'DLDevice', tokenizer: 'Tokenizer' },
  Instance: { lib: 'FFILibrary', rng: 'LinearCongruentialGenerator' },
  FFILibrary: { webGPUContext: 'WebGPUContext' },
};

/** Roots of paths that do not begin at the object of a loaded chat model. */
const ROOTS: Readonly<Record<string, string>> = { engine: 'MLCEngine', embedding: 'EmbeddingPipeline' };

/**
 * Finds members of classes in WebLLM's bundle. A member exists if its class has a method of this name or assigns a
 * property of this name to `this`; its type is not checked.
 */
export class BundleMembers {
  readonly #bundle: string;
  readonly #sources = new Map<string, string | null>();

  /** @param bundle Text of WebLLM's `lib/index.js`. */
  constructor(bundle: string) {
    this.#bundle = bundle;
  }

  /** Whether the bundle has a member at this path from WebLLM's object for a loaded chat model. */
  has(path: string): boolean {
    const parts = path.split('.');
    const root = ROOTS[parts[0]!];
    if (root !== undefined) parts.shift();
    let type = root ?? 'LLMChatPipeline';
    for (const [index, part] of parts.entries()) {
      const isAssignedByOwner = index > 0 && this.#isAssigned(`${parts[index - 1]}.${part}`);
      if (!this.#hasMember(type, part) && !isAssignedByOwner) return false;
      type = CLASSES[type]?.[part] ?? '';
    }
    return true;
  }

  #hasMember(type: string, name: string): boolean {
    const source = this.#sourceOf(type);
    if (source === null) return false;
    const method = new RegExp(`^[ \\t]*(?:(?:async|get|set)\\s+)?${name}\\s*\\(.*\\{$`, 'm');
    return method.test(source) || new RegExp(`(?:this|prototype)\\.${name}\\s*=[^=]`).test(source);
  }

  /** Whether some class assigns this property of an object that it owns, as in `this.lib.webGPUContext = …`. */
  #isAssigned(path: string): boolean {
    return new RegExp(`this\\.${path.replace('.', '\\.')}\\s*=[^=]`).test(this.#bundle);
  }

  /** The text of a class, from its first line to the closing brace with the same indentation; null if there is none. */
  #sourceOf(type: string): string | null {
    const known = this.#sources.get(type);
    if (known !== undefined) return known;
    const found = new RegExp(
      `^([ \\t]*)(?:export )?(?:class ${type}\\b.*\\{|var ${type} = /\\*\\* @class \\*/.*)$[^]*?^\\1\\}`,
      'm',
    ).exec(this.#bundle);
    const source = found?.[0] ?? null;
    this.#sources.set(type, source);
    return source;
  }
}
