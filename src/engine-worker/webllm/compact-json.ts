import type { JsonSchema } from '../../shared/completion-request.ts';
import { compileCost } from '../../shared/json-schema/compile-cost.ts';

/** Characters of white space between two parts of a JSON text: room for any usual indentation. */
const MOST_WHITE_SPACE = 20;

/**
 * Parts of a schema times characters of white space. The time of compiling grows with both: with room for 20
 * characters, 20 optional properties took 0.5 s of processor time, 80 5.6 s; with room for 3, these took 0.3 s.
 */
const MOST_ROOM = 240;

/** The part of WebLLM's grammar compiler that is changed here, with its own defaults named. */
interface GrammarCompiler {
  compileJSONSchema(
    schema: string,
    anyWhitespace?: boolean,
    indent?: number,
    separators?: [string, string],
    strictMode?: boolean,
    maxWhitespaceCount?: number,
  ): Promise<unknown>;
}

/**
 * Limits the white space of schema-bound answers. WebLLM compiles schemas so that it may go on for ever, and
 * small models fall into it where the grammar forbids what they would have written. The compiler can limit
 * it, but WebLLM offers no setting, and makes the compiler at the first such request: so it is caught there.
 * @param pipeline WebLLM's own object for a loaded model.
 */
export function boundWhiteSpace(pipeline: object): void {
  let compiler: GrammarCompiler | undefined;
  Object.defineProperty(pipeline, 'grammarCompiler', {
    configurable: true,
    get: () => compiler,
    set(created: GrammarCompiler | undefined) {
      compiler = created && bounded(created);
    },
  });
}

function bounded(compiler: GrammarCompiler): GrammarCompiler {
  const compile = compiler.compileJSONSchema.bind(compiler);
  compiler.compileJSONSchema = (schema) => compile(schema, true, 2, undefined, true, whiteSpace(schema));
  return compiler;
}

/** @param schema As WebLLM gets it, JSON. */
function whiteSpace(schema: string): number {
  const { parts, countedProperties } = compileCost(JSON.parse(schema) as JsonSchema);
  // Where properties are counted, each of them is a part once for every number of those before it.
  const room = Math.floor(MOST_ROOM / (parts + 10 * countedProperties));
  return Math.max(1, Math.min(MOST_WHITE_SPACE, room));
}
