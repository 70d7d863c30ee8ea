import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface GrammarCompiler {
  readonly Grammar: { fromJSONSchema(schema: string): Promise<{ dispose(): void }> };
}

const require = createRequire(import.meta.url);

/** The package calls itself an ES module and is none; under another name it can be loaded as what it is. */
const folder = mkdtempSync(join(tmpdir(), 'tabserve-'));
const path = join(folder, 'grammar-compiler.cjs');
copyFileSync(require.resolve('@mlc-ai/web-xgrammar'), path);
process.once('exit', () => rmSync(folder, { recursive: true }));

/**
 * Whether the grammar compiler that WebLLM has built in takes a schema. An abort damages it, so a fresh
 * copy follows.
 */
export async function compiles(schema: unknown): Promise<boolean> {
  const { Grammar } = require(path) as GrammarCompiler;
  try {
    const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema));
    grammar.dispose();
    return true;
  } catch {
    delete require.cache[path];
    return false;
  }
}
