import type { EngineSentences, OtherFileKind, SentenceTable } from '../../shared/coded-sentence.ts';

const OTHER_KINDS: Readonly<Record<OtherFileKind, string>> = {
  empty: 'empty',
  zeros: 'zeros only',
  html: 'HTML',
  xml: 'XML',
  json: 'JSON',
  safetensors: 'safetensors',
  pickle: 'PyTorch',
  ggml: 'old GGML',
  bigEndian: 'big-endian GGUF',
  lfsPointer: 'Git-LFS pointer',
  annexPointer: 'git-annex pointer',
  webAssembly: 'WebAssembly',
  gzip: 'gzip',
  zstd: 'Zstandard',
  xz: 'xz',
  bzip2: 'bzip2',
  zip: 'ZIP',
  '7z': '7z',
  tar: 'tar',
};

/** What is wrong with a GGUF file, or with the choice of files; and why its model may not run here. */
export const ggufSentences = {
  notGguf: 'The file is not a GGUF file: it does not begin with these four letters.',
  notGgufBut: (kind) => `The file is not a GGUF file (found: ${OTHER_KINDS[kind]}).`,
  ggufVersion: (version) => `The file has version ${version} of GGUF; only versions 2 and 3 can be read.`,
  ggufTruncated: 'The file ends too early: it was not copied completely.',
  ggufEndsEarly: (missingBytes) =>
    `The file ends ${new Intl.NumberFormat('en').format(missingBytes)} ${missingBytes === 1 ? 'byte' : 'bytes'} too early: it was not copied completely.`,
  ggufHeaderTooLong: 'The header of the file is longer than 64 MB.',
  ggufTooManyItems: (count, most) =>
    `The file is damaged: its header lists ${count} items, but there can be at most ${most}.`,
  ggufNestedArrays: 'The file is damaged: its header has arrays of arrays.',
  ggufValueType: (type) => `The file is damaged: its header has a value of the unknown type ${type}.`,
  ggufWithoutArchitecture: 'The file does not say which architecture its model has.',
  ggufPartsMissing: (parts) =>
    `The model is split into ${parts} files. They must lie in one folder, with the names that llama.cpp gave them: …-00001-of-${String(parts).padStart(5, '0')}.gguf.`,
  isEmbeddingModel: (model, facts) =>
    `${model} is an embedding model and writes no text. The site must name it with embedding: ${facts}; a model that you added yourself must be deleted and added again.`,
  isChatModel: (model) =>
    `${model} is a chat model and computes no embeddings. The site must name it without embedding.`,
  isEncoderOfSite: (model) =>
    `The file of ${model} is the part of a model that sees images (mmproj). The site must name the file of the model as gguf, and this one as mmproj.`,
  encoderSeesNothing: 'The file named as mmproj has no image encoder, so the model could see nothing.',
  openAddressOfDeleted: (address) => `Open ${address} to see what is there. Its copy on this device was deleted.`,

  isEncoder:
    'This file is the part of a model that sees images (mmproj), and cannot answer alone. Choose it together with the file of its model.',
  memoryBeyondWasm: (bytes, most) =>
    `It needs ${inGigabytes(bytes)} of memory; this browser allows a page at most ${inGigabytes(most)}. Choose a smaller one.`,
  tightMainMemory: (bytes, deviceBytes) =>
    `It needs ${inGigabytes(bytes)} of memory; the browser reports ${inGigabytes(deviceBytes)} in total, for everything.`,
  chatTemplateMissing: 'The file says nothing about how the model chats, so it may only continue texts.',

  chosenPartsMissing: (parts, missing) =>
    `The model is split into ${parts} files. Choose them all together; these are missing: ${missing.join(', ')}.`,
  severalModels: 'These are several models. Choose one, or all the files of one split model.',
  encoderHears:
    'One of these files is the part of a model that hears (mmproj). Audio cannot be sent here: leave it out.',
  encoderOfEmbeddingModel:
    'One of these files is the part of a model that sees images (mmproj), but the other model compares texts only: leave the first out.',
  noGgufAddress: 'This is not an address. Enter https://…/model.gguf, or owner/repository on Hugging Face.',
  noGgufOfName: (repository, wanted, known) => `${repository} has no GGUF file ${wanted}. It has: ${known.join(', ')}.`,
} satisfies Partial<SentenceTable<EngineSentences>>;

function inGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toLocaleString('en', { maximumFractionDigits: 1 })} GB`;
}
