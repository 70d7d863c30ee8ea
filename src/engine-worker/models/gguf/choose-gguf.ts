import { nameOfModel } from '../package/gguf-parts.ts';

/** A file of a repository. */
export interface RepositoryFile {
  readonly path: string;
  /** Bytes; undefined if the list does not state it. */
  readonly size?: number | undefined;
}

/**
 * Quantizations by preference, for a person who names none: little loss of quality first, in a file that a browser has
 * room for. Files without a known one come
 * after these and before {@link LAST}, whose files are the largest, or lose the most.
 */
const PREFERENCE = `Q4_K_M Q4_K_S Q4_K_L Q4_K_XL Q4_K IQ4_NL IQ4_XS Q4_0 Q4_1 MXFP4
  Q5_K_M Q5_K_S Q5_K_L Q5_K_XL Q5_K Q5_0 Q5_1 Q6_K Q6_K_L Q6_K_XL Q8_0 Q8_K_XL
  Q3_K_L Q3_K_XL Q3_K_M IQ3_M IQ3_S Q3_K_S Q3_K IQ3_XS IQ3_XXS`.split(/\s+/);
const LAST = `Q2_K_L Q2_K_XL Q2_K Q2_K_S Q2_0 IQ2_M IQ2_S IQ2_XS IQ2_XXS TQ2_0 TQ1_0
  IQ1_M IQ1_S F16 FP16 BF16 F32 FP32`.split(/\s+/);

/** Matches a quantization as a whole word in the name of a file. */
const QUANTIZATION = /(?<![a-z\d])(?:I?Q\d|TQ\d|BF16|FP?16|FP?32|MXFP4)(?:_(?:\d|K|S|M|L|XL|NL|XS|XXS))*(?![a-z\d])/gi;

/**
 * Matches the names of files that hold no language model: image encoders, the statistics of a quantization,
 * vocabularies, and adapters.
 */
const NO_MODEL = /mmproj|imatrix|(?<![a-z])(?:vocab|lora|adapter)(?![a-z])/i;

/** Returns the GGUF files with language models among the files of a repository. */
export function modelsAmong<File extends RepositoryFile>(files: readonly File[]): readonly File[] {
  return files.filter(({ path }) => /\.gguf$/i.test(path) && !NO_MODEL.test(path));
}

/**
 * Chooses a file. Among equals the smallest model is chosen, and the first part of a split one.
 * @param files Files with language models.
 * @param named Part of the name of the wanted file in whole words; null for a sensible one.
 * @returns undefined if no file has that name.
 */
export function chooseGguf<File extends RepositoryFile>(
  files: readonly File[],
  named: string | null,
): File | undefined {
  const sizes = new Map<string, number>();
  for (const { path, size = Infinity } of files)
    sizes.set(nameOfModel(path), (sizes.get(nameOfModel(path)) ?? 0) + size);
  return files
    .filter(({ path }) => named === null || wordsOf(path).includes(wordsOf(named)))
    .map((file) => ({ file, rank: rankOf(file.path), size: sizes.get(nameOfModel(file.path))! }))
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        (one.size === other.size ? 0 : one.size - other.size) ||
        one.file.path.localeCompare(other.file.path, 'en'),
    )[0]?.file;
}

function rankOf(path: string): number {
  const name = path.toUpperCase().match(QUANTIZATION)?.at(-1) ?? '';
  if (PREFERENCE.includes(name)) return PREFERENCE.indexOf(name);
  return PREFERENCE.length + 1 + LAST.indexOf(name);
}

/**
 * Returns the words of a name, each between spaces, so that one name contains another only in whole words: `Q4_K_M`
 * contains `Q4_K`, but `BF16` does not contain `F16`.
 */
function wordsOf(name: string): string {
  return ` ${(name.toLowerCase().match(/[a-z\d]+/g) ?? []).join(' ')} `;
}
