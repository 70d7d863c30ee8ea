import {
  CHAT_EXTENSIONS,
  EMBEDDING_EXTENSIONS,
  ENGINE_EXTENSIONS,
} from '../../src/engine-worker/webllm/extensions/extensions.ts';
import { BundleMembers } from './bundle-members.ts';

/** Members that the adapter needs in addition to those of its extensions. */
const LOADING = ['engine.loadedModelIdToPipeline', 'embedding.tokenizer', 'embedding.maxBatchSize'];

/**
 * Returns the members that a version of WebLLM lacks, by the extension (or `loading`) that needs them.
 * @param bundle Text of its `lib/index.js`.
 */
export function missingIn(bundle: string): ReadonlyMap<string, readonly string[]> {
  const members = new BundleMembers(bundle);
  const needs: (readonly [string, readonly string[]])[] = [
    ['loading', LOADING],
    ...[...ENGINE_EXTENSIONS, ...CHAT_EXTENSIONS].map(({ name, needs }) => [name, needs] as const),
    ...EMBEDDING_EXTENSIONS.map(
      ({ name, needs }) => [`${name} (embeddings)`, needs.map((need) => `embedding.${need}`)] as const,
    ),
  ];
  const missing = needs.map(([user, paths]) => [user, paths.filter((path) => !members.has(path))] as const);
  return new Map(missing.filter(([, paths]) => paths.length > 0));
}
