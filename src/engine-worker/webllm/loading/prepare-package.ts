import { ApiError } from '../../../shared/api-error.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { cachedFile } from '../../models/download/cached-file.ts';
import { downloadWhileLoading } from '../../models/download/download-while-loading.ts';
import { MODEL_CACHES, type PackageFile } from '../../models/package/package-file.ts';
import type { TransferReport } from '../../models/download/transfer-progress.ts';
import { NO_TEMPLATE, readChatConfig, readVocabularySize, type ChatTemplate } from '../prompt/chat-template.ts';
import { NO_CONTROL_TOKENS, readControlTokens, type ControlTokens } from '../prompt/control-tokens.ts';
import { readSurroundingTokens, type SurroundingTokens } from '../prompt/surrounding-tokens.ts';
import { readLongestToken } from '../prompt/longest-token.ts';

/** The files of a model package, and the properties read from them that WebLLM does not provide. */
export interface PreparedPackage {
  readonly files: readonly PackageFile[];
  /** The chat template; {@link NO_TEMPLATE} for an embedding model. */
  readonly template: ChatTemplate;
  /** Special tokens that surround every input text. */
  readonly surrounding: SurroundingTokens;
  /** Special tokens that the tokenizer recognizes within a text. */
  readonly control: ControlTokens;
  /** Maximum number of characters that one token represents; see {@link readLongestToken}. */
  readonly longestToken: number;
  readonly vocabularySize: number;
}

/**
 * Downloads the missing files of a model into WebLLM's caches, verifies them, and reads the properties that this
 * project needs.
 *
 * @param manifest Name of the package's manifest file; null if it has none.
 * @throws ApiError `model_load_failed` if a file cannot be fetched, stored or read; the signal's reason if it aborts.
 */
export async function preparePackage(
  entry: ModelEntry,
  manifest: string | null,
  report: (transfer: TransferReport) => void,
  signal: AbortSignal,
): Promise<PreparedPackage> {
  return readPackage(entry, await downloadWhileLoading(entry, manifest, report, signal));
}

async function readPackage(entry: ModelEntry, files: readonly PackageFile[]): Promise<PreparedPackage> {
  // The manifest, if there is one, is in this cache, too, but comes first. So the last file is the configuration.
  const config = files.findLast(({ cache }) => cache === MODEL_CACHES.config);
  const tokenizer = files.find(({ name }) => name === 'tokenizer.json');
  if (config === undefined) throw new Error(`${entry.id} has no configuration.`);
  const chat = await readJson(config, (json) =>
    entry.embedding ? { template: NO_TEMPLATE, vocabularySize: readVocabularySize(json) } : readChatConfig(json),
  );
  const surrounding = { before: chat.template.system_prefix_token_ids, after: [] };
  if (tokenizer === undefined)
    return { files, ...chat, surrounding, control: NO_CONTROL_TOKENS, longestToken: Number.POSITIVE_INFINITY };
  const tokens = await readJson(tokenizer, (json) => ({
    control: readControlTokens(json),
    longestToken: readLongestToken(json),
    surrounding: entry.embedding ? readSurroundingTokens(json) : surrounding,
  }));
  return { files, ...chat, ...tokens };
}

/** Reads and validates a cached JSON file. Deletes an invalid file from the cache, so that the next load fetches it. */
async function readJson<Value>(file: PackageFile, read: (value: unknown) => Value): Promise<Value> {
  const response = await cachedFile(file, caches);
  try {
    return read(await response?.json());
  } catch (cause) {
    await (await caches.open(file.cache)).delete(file.url);
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    throw new ApiError(
      'model_load_failed',
      `${file.name} is not what WebLLM expects${detail}. Open ${file.url} to see what is there, and try again.`,
      { cause },
    );
  }
}
