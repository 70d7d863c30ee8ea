import type { AddedToken } from '../../answer/unwanted-tokens.ts';
import { say } from '../../strings/say.ts';
import { ggufCacheShape, type GgufCacheShape } from './gguf-cache-shape.ts';
import { otherFileKind } from './other-file-kind.ts';
import { tensorBytes } from './tensor-bytes.ts';
import { GgufCursor, GgufFault, ReadBeyond } from './gguf-cursor.ts';

/**
 * How the outputs for the tokens of a text become one vector: their mean, that of the first token (`cls`), that of the
 * last token; or, in a reranking model, one number. Source: `llama_pooling_type` in `llama.h`.
 */
export type GgufPooling = 'mean' | 'cls' | 'last' | 'rank';

/** What the header of an mmproj file states: it has no language model, but an encoder for images or sounds. */
export interface MmprojHeader {
  /** Whether it encodes images. */
  readonly seesImages: boolean;
  /** Kind of the layers between encoder and language model, such as `gemma3`; null if the file does not state it. */
  readonly projector: string | null;
}

/** Facts that a GGUF file's header states about its model. Source: `docs/gguf.md` of ggml, versions 2 and 3. */
export interface GgufHeader extends GgufCacheShape {
  /** Name of the architecture, such as `llama` or `qwen3`. Empty for the later parts of a split model. */
  readonly architecture: string;
  /** Name of the model; null if the file has none. */
  readonly name: string | null;
  readonly licence: string | null;
  /** Context length in tokens that the model was trained with; null if unknown. */
  readonly contextLength: number | null;
  readonly hasChatTemplate: boolean;
  /** Null for a model that generates text. */
  readonly pooling: GgufPooling | null;
  /** Length of an embedding; null if unknown. */
  readonly dimensions: number | null;
  /** Facts about an mmproj file; null for the file of a language model. */
  readonly mmproj: MmprojHeader | null;
  /** Number of files that the model is split into. */
  readonly parts: number;
  /** Number of weights in this file. */
  readonly parameters: number;
  /** Format of most weights, such as `Q4_K_M`; null if the file does not state it. */
  readonly quantization: string | null;
  /** Control tokens, and other tokens that the tokenizer recognizes anywhere, such as `<think>`. */
  readonly addedTokens: readonly AddedToken[];
}

/** A file whose first bytes {@link readGgufHeader} reads: a Blob, or a file on a server. */
export interface HeaderSource {
  /** Size of the file in bytes; Infinity if unknown. */
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** `GGUF`, the first four bytes of every GGUF file. */
const MAGIC = [0x47, 0x47, 0x55, 0x46];

/** Number of bytes by which a file of another kind is recognised. */
const SNIFFED = 1024;

/** Default of the entry `general.alignment`: the bytes of whose multiple the tensors begin. */
const ALIGNMENT = 32;

/** Limit of the header in bytes. The header with a vocabulary of 260,000 tokens takes some 15 MB. */
const MAX_HEADER = 2 ** 26;

/** Names of the values of `general.file_type`. Source: `llama_ftype` in `llama.h`. */
const FILE_TYPES: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
  36: 'TQ1_0',
  37: 'TQ2_0',
  38: 'MXFP4',
};

/** Names of the values of `<architecture>.pooling_type`. 0 means none. */
const POOLINGS: readonly (GgufPooling | undefined)[] = [undefined, 'mean', 'cls', 'last', 'rank'];

/** Matches the architectures of models that do not generate text. Source: `llama-arch.cpp`. */
const ENCODERS = /bert|^t5encoder$|^gemma-embedding|^llama-embed$/;

/** Architecture of every mmproj file. */
const MMPROJ = 'clip';

/** Beginning of the names of a classifier's tensors, which only reranking models have. */
const CLASSIFIER = 'cls.';

const TOKENS = 'tokenizer.ggml.tokens';
const TOKEN_TYPES = 'tokenizer.ggml.token_type';

/**
 * End of the key under which models whose layers differ, such as LFM2, state a number for each layer. Of those that have no
 * attention it is 0. The memory of all layers depends on the mean.
 */
const HEADS_OF_LAYERS = '.attention.head_count_kv';

/** Token types. Source: `llama_token_type` in `llama.h`. */
const CONTROL = 3;
const USER_DEFINED = 4;

const ARRAY = 9;

/** Number of bytes that are read first; more are read if the header is longer. */
const FIRST_READ = 2 ** 20;

const MAX_ENTRIES = 2 ** 13;
const MAX_TENSORS = 2 ** 16;
const MAX_DIMENSIONS = 4;

/**
 * Reads the header of a GGUF file.
 * @throws GgufFault with a sentence, for a file that is not a GGUF file, is damaged, or exceeds the limits of this
 * reader.
 */
export async function readGgufHeader(file: HeaderSource): Promise<GgufHeader> {
  for (let bytes = FIRST_READ; ; bytes *= 4) {
    const length = Math.min(bytes, file.size, MAX_HEADER);
    const start = await file.slice(0, length).arrayBuffer();
    requireGguf(new Uint8Array(start, 0, Math.min(start.byteLength, SNIFFED)));
    try {
      return parseHeader(new GgufCursor(start), file.size);
    } catch (thrown) {
      if (!(thrown instanceof ReadBeyond)) throw thrown;
      if (length === file.size) throw new GgufFault(say('ggufTruncated'));
      if (length === MAX_HEADER) throw new GgufFault(say('ggufHeaderTooLong'));
    }
  }
}

/** @throws GgufFault that says what the file is, as far as that is known. */
function requireGguf(start: Uint8Array<ArrayBuffer>): void {
  const kind = otherFileKind(start);
  if (kind !== null) throw new GgufFault(say('notGgufBut', kind));
  if (MAGIC.some((byte, index) => start[index] !== byte)) throw new GgufFault(say('notGguf'));
}

function parseHeader(cursor: GgufCursor, fileSize: number): GgufHeader {
  cursor.uint32();
  const version = cursor.uint32();
  if (version < 2 || version > 3) throw new GgufFault(say('ggufVersion', version));
  const tensors = cursor.count(MAX_TENSORS);
  const entries = cursor.count(MAX_ENTRIES);
  const values = new Map<string, unknown>();
  let tokenAt: ReturnType<GgufCursor['strings']> = null;
  let types: Int32Array | null = null;
  for (let index = 0; index < entries; index++) {
    const key = cursor.string();
    const type = cursor.uint32();
    if (type === ARRAY && key === TOKENS) tokenAt = cursor.strings();
    else if (type === ARRAY && key === TOKEN_TYPES) types = cursor.integers();
    else if (type === ARRAY && key.endsWith(HEADS_OF_LAYERS)) values.set(key, meanOf(cursor.integers()));
    else values.set(key, cursor.value(type));
  }
  let tensorsEnd = 0;
  let parameters = 0;
  let classifies = false;
  for (let index = 0; index < tensors; index++) {
    if (cursor.string().startsWith(CLASSIFIER)) classifies = true;
    let weights = 1;
    for (let dimensions = cursor.count(MAX_DIMENSIONS, 4); dimensions > 0; dimensions--) weights *= cursor.uint64();
    parameters += weights;
    const type = cursor.uint32();
    tensorsEnd = Math.max(tensorsEnd, cursor.uint64() + tensorBytes(type, weights));
  }
  const alignment = numberOf(values.get('general.alignment')) ?? ALIGNMENT;
  const end = Math.ceil(cursor.offset / alignment) * alignment + tensorsEnd;
  if (tensors > 0 && end > fileSize) throw new GgufFault(say('ggufEndsEarly', end - fileSize));
  const architecture = textOf(values.get('general.architecture')) ?? '';
  // Of a split model only the first part, number 0, says what the model is. Source: `gguf-split.cpp` of llama.cpp.
  const isLaterPart = numberOf(values.get('split.no')) !== null;
  if (architecture === '' && !isLaterPart) throw new GgufFault(say('ggufWithoutArchitecture'));
  const value = (name: string) => numberOf(values.get(`${architecture}.${name}`));
  return {
    architecture,
    name: textOf(values.get('general.name')),
    licence: textOf(values.get('general.license')),
    contextLength: value('context_length'),
    hasChatTemplate: typeof values.get('tokenizer.chat_template') === 'string',
    pooling: poolingOf(architecture, value('pooling_type'), classifies),
    dimensions: value('embedding_length_out') ?? value('embedding_length'),
    mmproj:
      architecture !== MMPROJ
        ? null
        : {
            seesImages: values.get('clip.has_vision_encoder') === true,
            projector: textOf(values.get('clip.vision.projector_type') ?? values.get('clip.projector_type')),
          },
    parts: numberOf(values.get('split.count')) ?? 1,
    parameters,
    quantization: FILE_TYPES[Number(values.get('general.file_type') ?? -1)] ?? null,
    ...ggufCacheShape(architecture, value),
    addedTokens: tokenAt && types ? addedTokens(tokenAt, types) : [],
  };
}

/**
 * Returns how a model pools; null for a model that generates text. An encoder whose file does not state the pooling
 * uses the mean, as in the library sentence-transformers.
 */
function poolingOf(architecture: string, type: number | null, classifies: boolean): GgufPooling | null {
  const stated = POOLINGS[type ?? 0];
  if (stated !== undefined || !ENCODERS.test(architecture)) return stated ?? null;
  return classifies ? 'rank' : 'mean';
}

function addedTokens(textAt: (index: number) => string, types: Int32Array): AddedToken[] {
  const added: AddedToken[] = [];
  for (const [id, type] of types.entries()) {
    if (type === CONTROL || type === USER_DEFINED) added.push({ id, text: textAt(id), special: type === CONTROL });
  }
  return added;
}

function meanOf(numbers: Int32Array | null): number | null {
  return numbers && numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
