import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as WebXgrammar from '@mlc-ai/web-xgrammar';
import { forcedTokens } from '../../src/engine-worker/webllm/grammar/forced-tokens.ts';
import type { Random } from './random.ts';

const require = createRequire(import.meta.url);

/** The package is CommonJS but declares itself an ES module. A copy with the extension `.cjs` can be loaded. */
const folder = mkdtempSync(join(tmpdir(), 'tabserve-'));
const path = join(folder, 'grammar-compiler.cjs');
copyFileSync(require.resolve('@mlc-ai/web-xgrammar'), path);
process.once('exit', () => rmSync(folder, { recursive: true }));

const END = 256;
/** One token per byte, and one for the end. */
const VOCABULARY = [
  ...Array.from({ length: END }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  '<end>',
];

const BYTE_TOKENIZER = { encode: (text: string) => new TextEncoder().encode(text) };

let compiler: WebXgrammar.GrammarCompiler | undefined;

/** The grammar library that WebLLM uses. */
export function xgrammar(): typeof WebXgrammar {
  return require(path) as typeof WebXgrammar;
}

async function grammarCompiler(): Promise<{ compiler: WebXgrammar.GrammarCompiler; library: typeof WebXgrammar }> {
  const library = xgrammar();
  const information = await library.TokenizerInfo.createTokenizerInfo(
    VOCABULARY,
    'byte_fallback',
    false,
    VOCABULARY.length,
    [END],
  );
  compiler ??= await library.GrammarCompiler.createGrammarCompiler(information, false);
  return { compiler, library };
}

/** A grammar compiled by xgrammar, which WebLLM uses, with bytes as tokens. */
export class CompiledEbnf {
  readonly #matcher: WebXgrammar.GrammarMatcher;

  constructor(matcher: WebXgrammar.GrammarMatcher) {
    this.#matcher = matcher;
  }

  accepts(text: string): boolean {
    this.#matcher.reset();
    for (const byte of new TextEncoder().encode(text)) if (!this.#matcher.acceptToken(byte)) return false;
    return this.#matcher.acceptToken(END);
  }

  /**
   * Generates random allowed bytes until the end, and takes forced text at once; prefers closing to opening.
   * @returns null if it does not end within 600 bytes, or if they are not UTF-8: a negated class of ASCII characters
   * allows all other bytes.
   */
  async write(random: Random): Promise<string | null> {
    this.#matcher.reset();
    const bytes: number[] = [];
    while (bytes.length < 600) {
      for (const byte of forcedTokens(this.#matcher, BYTE_TOKENIZER, () => true)) {
        this.#matcher.acceptToken(byte);
        bytes.push(byte);
      }
      const mask = await this.#matcher.getNextTokenBitmask();
      const allowed = Array.from({ length: END + 1 }, (_, token) => token).filter(
        (token) => ((mask[token >> 5] ?? 0) >> (token & 31)) & 1,
      );
      if (allowed.length === 0) throw new Error(`Nothing may follow ${JSON.stringify(decode(bytes))}.`);
      const closing = allowed.filter((token) => token === END || '"}]'.includes(String.fromCodePoint(token)));
      const ascii = allowed.filter((token) => token < 128);
      const candidates = ascii.length > 0 && !random.once(10) ? ascii : allowed;
      const close = closing.length > 0 && random.once(bytes.length > 100 ? 1 : 3);
      const token = random.of(close ? closing : candidates);
      this.#matcher.acceptToken(token);
      if (token === END) return decode(bytes);
      bytes.push(token);
    }
    return null;
  }

  dispose(): void {
    this.#matcher.dispose();
  }
}

export async function compileEbnf(ebnf: string): Promise<CompiledEbnf> {
  const { compiler: used, library } = await grammarCompiler();
  const compiled = await used.compileGrammar(ebnf);
  const matcher = await library.GrammarMatcher.createGrammarMatcher(compiled);
  compiled.dispose();
  return new CompiledEbnf(matcher);
}

function decode(bytes: readonly number[]): string | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  return text.includes('\ufffd') ? null : text;
}
