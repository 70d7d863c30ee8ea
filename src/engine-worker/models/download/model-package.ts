import * as v from 'valibot';
import type { WindowLimits } from '../../../shared/models/model-facts.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import type { ModelSource } from '../../../shared/models/model-management.ts';
import { GGUF_DEFAULTS } from '../../../shared/models/site-models.ts';
import { describeModel } from '../describe-model.ts';
import { fileNameAt, partAddresses } from '../package/gguf-parts.ts';
import { contentError, foreignFileError } from './download-error.ts';
import { MODEL_CACHES, type PackageFile } from '../package/package-file.ts';

/** The tokenizer files that WebLLM can read, in its order of preference. */
const TOKENIZERS = ['tokenizer.json', 'tokenizer.model'];

/** Values of `model_type` that mean an embedding model, in WebLLM's catalogue and in the built-in model. */
const ENCODERS: readonly string[] = ['bert', 'encoder'];

const ChatConfig = v.object({
  tokenizer_files: v.array(v.string()),
  context_window_size: v.pipe(v.number(), v.integer()),
  vocab_size: v.pipe(v.number(), v.integer()),
  temperature: v.nullish(v.number(), 1),
  top_p: v.nullish(v.number(), 1),
  model_type: v.nullish(v.string(), ''),
  quantization: v.nullish(v.string(), ''),
  model_config: v.nullish(
    v.object({
      hidden_size: v.nullish(v.number()),
      num_hidden_layers: v.nullish(v.number()),
      num_attention_heads: v.nullish(v.number()),
      num_key_value_heads: v.nullish(v.number()),
      head_dim: v.nullish(v.number()),
      full_attention_interval: v.nullish(v.pipe(v.number(), v.minValue(1))),
    }),
    {},
  ),
});

/**
 * Limit of weights files in a package. WebLLM's largest packages have about 1,000 files of 32 MB. The limit matters
 * because listing the models looks up every file in the cache.
 */
const MAX_WEIGHTS_FILES = 5000;

const TensorCache = v.object({
  records: v.pipe(
    v.array(v.unknown()),
    // Checked first, so that a list that is too long is refused before its records are validated one by one.
    v.maxLength(MAX_WEIGHTS_FILES, `more than ${MAX_WEIGHTS_FILES} files`),
    v.array(
      v.object({
        dataPath: v.string(),
        nbytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
        md5sum: v.nullish(v.string()),
      }),
    ),
  ),
});

const Manifest = v.object({
  chat_config: v.nullish(v.string(), 'mlc-chat-config.json'),
  weights: v.object({ manifest: v.nullish(v.string(), 'tensor-cache.json') }),
});

export interface ModelPackage {
  readonly files: readonly PackageFile[];
  readonly config: v.InferOutput<typeof ChatConfig>;
}

/**
 * Reads a list of files, from the cache or the server.
 * @param parse Parses the text of the list. @throws DownloadError if the text is invalid.
 */
export type ReadList = <List>(file: PackageFile, parse: (text: string) => List) => Promise<List>;

/**
 * Reads the lists of files in a package. Names, addresses and caches are those of `reloadInternal` in WebLLM 0.2.86, so
 * that a load requests exactly these files.
 *
 * All files except the library must lie below the package's address. Otherwise a download could consider a file of
 * another model damaged and delete it.
 *
 * @throws DownloadError if a list is invalid; any error of `read`.
 */
export async function readModelPackage(source: ModelSource, read: ReadList): Promise<ModelPackage> {
  if (source.format === 'gguf') return ggufPackage(source);
  const files: PackageFile[] = [];
  const list = <Schema extends v.GenericSchema>(file: PackageFile, schema: Schema) => {
    files.push(file);
    return read(file, (text) => parseList(file, schema, text));
  };
  const requireOwn = (file: PackageFile): PackageFile => {
    if (file.url.startsWith(source.modelUrl)) return file;
    throw foreignFileError(files.at(-1)!, file.url);
  };
  const manifest = source.manifest === null ? null : await list(configFile(source, source.manifest), Manifest);
  const configuration = requireOwn(configFile(source, manifest?.chat_config ?? 'mlc-chat-config.json'));
  const config = await list(configuration, ChatConfig);
  if (!config.tokenizer_files.some((name) => TOKENIZERS.includes(name))) {
    throw contentError(configuration, `for a tokenizer that WebLLM reads (${TOKENIZERS.join(' or ')})`);
  }
  const weightsList = requireOwn(
    weightsFile(source.modelUrl, manifest?.weights.manifest ?? 'tensor-cache.json', null, null, 'json'),
  );
  const { records } = await list(weightsList, TensorCache);
  const weights = records.map(({ dataPath, nbytes, md5sum }) =>
    requireOwn(weightsFile(weightsList.url, dataPath, nbytes, md5sum ?? null, 'data')),
  );

  files.push({
    name: lastSegment(source.libraryUrl),
    url: source.libraryUrl,
    cache: MODEL_CACHES.library,
    kind: 'wasm',
    bytes: null,
    md5: null,
  });
  files.push(tokenizerFile(source, config.tokenizer_files));
  files.push(...weights);
  return { files, config };
}

/**
 * Lists the files of a GGUF model: one file or several parts, and last the image encoder. The sizes of parts, and of
 * files whose header was not read, are unknown.
 */
function ggufPackage({ modelUrl, mmproj, contextWindow, gguf }: ModelSource): ModelPackage {
  const { bytes = null, mmprojBytes, sha256 = null, sha256OfParts = [sha256] } = gguf ?? {};
  const addresses = partAddresses(modelUrl);
  const isWhole = addresses.length === 1;
  const ownBytes = isWhole && bytes !== null ? bytes - (mmprojBytes ?? 0) : null;
  const files = addresses.map((url, part) => ggufFile(url, ownBytes, sha256OfParts[part] ?? null));
  if (mmproj !== undefined) files.push(ggufFile(mmproj, mmprojBytes ?? null, null));
  const { contextWindow: usual, ...defaults } = GGUF_DEFAULTS;
  return {
    files,
    config: {
      tokenizer_files: [],
      context_window_size: contextWindow ?? usual,
      vocab_size: defaults.vocabularySize,
      temperature: defaults.defaultTemperature,
      top_p: defaults.defaultTopP,
      model_type: '',
      quantization: '',
      model_config: {},
    },
  };
}

function ggufFile(url: string, bytes: number | null, sha256: string | null): PackageFile {
  const name = fileNameAt(url) || url;
  return { name, url, cache: MODEL_CACHES.gguf, kind: 'gguf', bytes, md5: null, sha256 };
}

/** Creates the entry of a downloaded model. `created` is in seconds since 1970. */
export function modelEntry(source: ModelSource, { config }: ModelPackage, created: number): ModelEntry {
  const address = new URL(source.modelUrl);
  const publisher = address.pathname.split('/')[1];
  // WebLLM returns the output of the last layer as embeddings, so their length is the hidden size.
  const { hidden_size: dimensions } = config.model_config;
  const embeds = source.embedding === true || ENCODERS.includes(config.model_type);
  return {
    id: source.id,
    created,
    ownedBy: address.hostname === 'huggingface.co' && publisher ? publisher : address.hostname,
    contextWindow: source.contextWindow ?? config.context_window_size,
    vocabularySize: config.vocab_size,
    defaultTemperature: config.temperature,
    defaultTopP: config.top_p,
    images: source.images,
    thinking: describeModel(source.id).thinking,
    ...(embeds ? { embedding: source.gguf?.embedding ?? { dimensions: dimensions ?? 0 } } : {}),
    ...(!embeds && !source.format && { window: packageWindow(config) }),
    ...(source.format && { format: source.format }),
    ...(source.gguf && { gguf: source.gguf }),
    ...(source.mmproj !== undefined && { mmproj: source.mmproj }),
    modelUrl: source.modelUrl,
    libraryUrl: source.libraryUrl,
  };
}

/**
 * Reads the limits of a package's context window. The catalogue limits nearly every model to 4,096 tokens to save
 * memory; the package's own number is what the model was trained for. Each layer with attention stores keys and values
 * as numbers of 16 or 32 bits, which the quantization names (`f16`, `f32`). In models such as Qwen3.5 only every fourth
 * layer has attention.
 */
function packageWindow({
  context_window_size: most,
  quantization,
  model_config,
}: ModelPackage['config']): WindowLimits {
  const { hidden_size, num_hidden_layers, num_attention_heads, num_key_value_heads, head_dim } = model_config;
  const layers = Math.ceil((num_hidden_layers ?? 0) / (model_config.full_attention_interval ?? 1));
  const heads = num_key_value_heads ?? num_attention_heads;
  const width = head_dim ?? (hidden_size && num_attention_heads ? hidden_size / num_attention_heads : null);
  if (!layers || !heads || !width) return { most, bytesPerToken: null, layers: null };
  const bytes = /f32/.test(quantization) ? 4 : 2;
  return { most, bytesPerToken: 2 * layers * heads * width * bytes, layers };
}

function parseList<Schema extends v.GenericSchema>(
  file: PackageFile,
  schema: Schema,
  text: string,
): v.InferOutput<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw contentError(file, 'JSON', error);
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw contentError(file, `what WebLLM expects (${v.getDotPath(issue) ?? 'top level'}: ${issue.message})`);
}

function configFile(source: ModelSource, name: string): PackageFile {
  return {
    name,
    url: new URL(name, source.modelUrl).href,
    cache: MODEL_CACHES.config,
    kind: 'json',
    bytes: null,
    md5: null,
  };
}

function weightsFile(
  base: string,
  name: string,
  bytes: number | null,
  md5: string | null,
  kind: PackageFile['kind'],
): PackageFile {
  return {
    name,
    url: new URL(name, base).href,
    cache: MODEL_CACHES.weights,
    kind,
    bytes,
    md5: md5?.toLowerCase() ?? null,
  };
}

function tokenizerFile(source: ModelSource, names: readonly string[]): PackageFile {
  const name = TOKENIZERS.find((candidate) => names.includes(candidate)) ?? 'tokenizer.json';
  return weightsFile(source.modelUrl, name, null, null, name === 'tokenizer.json' ? 'json' : 'data');
}

function lastSegment(address: string): string {
  return new URL(address).pathname.split('/').at(-1) || address;
}
