import { ggufStrings as strings } from '../../strings/gguf.ts';
import { GgufCursor, GgufFault, ReadBeyond } from './gguf-cursor.ts';

/** What a GGUF file says about its model. Source: `docs/gguf.md` of ggml, versions 2 and 3. */
export interface GgufHeader {
  /** Such as `llama` or `qwen3`. */
  readonly architecture: string;
  /** Null if the file does not name the model. */
  readonly name: string | null;
  readonly licence: string | null;
  /** Tokens that the model was trained with; null if unknown. */
  readonly contextLength: number | null;
  readonly hasChatTemplate: boolean;
  /** Number of files that the model is split into. */
  readonly parts: number;
}

/** The first four bytes, `GGUF`. */
const MAGIC = 0x46_55_47_47;

/** Bytes of the largest header that is read. Vocabularies of 260,000 tokens take some 15 MB. */
const MAX_HEADER = 2 ** 26;

/** Bytes that are read at first; more are read if the header is longer. */
const FIRST_READ = 2 ** 20;

const MAX_ENTRIES = 2 ** 13;
const MAX_TENSORS = 2 ** 16;
const MAX_DIMENSIONS = 4;

/**
 * Reads the header of a GGUF file.
 * @throws GgufFault with a sentence, for a file that is no GGUF file, is damaged, or is beyond the limits of this reader.
 */
export async function readGgufHeader(file: Blob): Promise<GgufHeader> {
  for (let bytes = FIRST_READ; ; bytes *= 4) {
    const length = Math.min(bytes, file.size, MAX_HEADER);
    const cursor = new GgufCursor(await file.slice(0, length).arrayBuffer());
    try {
      return parseHeader(cursor, file.size);
    } catch (thrown) {
      if (!(thrown instanceof ReadBeyond)) throw thrown;
      if (length === file.size) throw new GgufFault(strings.truncated);
      if (length === MAX_HEADER) throw new GgufFault(strings.longHeader);
    }
  }
}

function parseHeader(cursor: GgufCursor, fileSize: number): GgufHeader {
  if (fileSize < 4 || cursor.uint32() !== MAGIC) throw new GgufFault(strings.noGguf);
  const version = cursor.uint32();
  if (version < 2 || version > 3) throw new GgufFault(strings.version(version));
  const tensors = cursor.count(MAX_TENSORS);
  const entries = cursor.count(MAX_ENTRIES);
  const values = new Map<string, unknown>();
  for (let index = 0; index < entries; index++) {
    const key = cursor.string();
    values.set(key, cursor.value(cursor.uint32()));
  }
  let lastOffset = 0;
  for (let index = 0; index < tensors; index++) {
    cursor.string();
    for (let dimensions = cursor.count(MAX_DIMENSIONS, 4); dimensions > 0; dimensions--) cursor.uint64();
    cursor.uint32();
    lastOffset = Math.max(lastOffset, cursor.uint64());
  }
  if (tensors > 0 && cursor.offset + lastOffset >= fileSize) throw new GgufFault(strings.truncated);
  const architecture = values.get('general.architecture');
  if (typeof architecture !== 'string' || architecture === '') throw new GgufFault(strings.noArchitecture);
  return {
    architecture,
    name: textOf(values.get('general.name')),
    licence: textOf(values.get('general.license')),
    contextLength: numberOf(values.get(`${architecture}.context_length`)),
    hasChatTemplate: typeof values.get('tokenizer.chat_template') === 'string',
    parts: numberOf(values.get('split.count')) ?? 1,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
