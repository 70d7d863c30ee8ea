import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WebLlm } from '../../../../src/engine-worker/webllm/loading/open-model.ts';

const bundle = fileURLToPath(import.meta.resolve('@mlc-ai/web-llm'));
const copy = join(dirname(bundle), '../../../.cache/tabserve/web-llm-for-tests.mjs');

/**
 * WebLLM's published code with more exports, so that a test can replace tokenizer and GPU and keep the rest: checks,
 * conversation, stream, stopping, grammar.
 */
export interface RealWebLlm extends WebLlm {
  readonly LLMChatPipeline: { readonly prototype: object };
  readonly EmbeddingPipeline: { readonly prototype: object };
  readonly Conversation: new (config: unknown) => unknown;
  readonly CustomLock: new () => unknown;
  /** The Hugging Face tokenizers that WebLLM bundles. */
  readonly libExports: { readonly Tokenizer: { fromJSON(json: ArrayBuffer): Promise<RealTokenizer> } };
}

export interface RealTokenizer {
  encode(text: string): Int32Array;
  decode(ids: Int32Array): string;
  idToToken(id: number): string;
  getVocabSize(): number;
}

let loaded: Promise<RealWebLlm> | undefined;

export function realWebLlm(): Promise<RealWebLlm> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<RealWebLlm> {
  const url = pathToFileURL(copy).href;
  const code = readFileSync(bundle, 'utf8')
    // Values that WebLLM's grammar library, made for browsers, needs in Node.
    .replaceAll('"MLC_DUMMY_PATH"', JSON.stringify(url))
    .replaceAll(
      "typeof document === 'undefined' ? location.href",
      `typeof document === 'undefined' ? ${JSON.stringify(url)}`,
    )
    .replace(/\/\/# sourceMappingURL.*/, '');
  mkdirSync(dirname(copy), { recursive: true });
  // Written to a temporary name first, because concurrent test files must not read an incomplete file.
  const fresh = `${copy}.${randomUUID()}`;
  writeFileSync(
    fresh,
    `import { createRequire } from 'node:module';\n${code}\nexport { LLMChatPipeline, EmbeddingPipeline, Conversation, CustomLock, libExports };\n`,
  );
  renameSync(fresh, copy);
  return (await import(/* @vite-ignore */ url)) as RealWebLlm;
}
