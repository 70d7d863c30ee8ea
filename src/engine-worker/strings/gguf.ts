/** Reasons why a file is refused as a GGUF model. */
export const ggufStrings = {
  noGguf: 'The file is no GGUF file: it does not begin with these four letters.',
  version: (version: number) => `The file has version ${version} of GGUF; versions 2 and 3 can be read.`,
  truncated: 'The file ends too early: it was not copied completely.',
  longHeader: 'The header of the file is longer than 64 MB.',
  tooMany: (count: number, most: number) =>
    `The file is damaged: its header announces ${count} items where at most ${most} can be.`,
  nested: 'The file is damaged: its header has arrays of arrays.',
  valueType: (type: number) => `The file is damaged: its header has a value of the unknown type ${type}.`,
  noArchitecture: 'The file does not say which architecture its model has.',
  parts: (parts: number) =>
    `The model is split into ${parts} files. They must lie in one folder, with the names that llama.cpp gave them: …-00001-of-${String(parts).padStart(5, '0')}.gguf.`,
  isEmbeddingModel: (id: string, facts: string) =>
    `${id} is a model that computes numbers and writes nothing. The site must name it with embedding: ${facts}; a model that you added yourself must be deleted and added once more.`,
  isChatModel: (id: string) =>
    `${id} is a model that writes and computes no embeddings. The site must name it without embedding.`,
  isMmproj: (id: string) =>
    `The file of ${id} is the part of a model that sees images (mmproj). The site must name the file of the model as gguf, and this one as mmproj.`,
  noMmproj: 'The file named as mmproj has no image encoder, so the model could see nothing.',
  /** Appended to one of the sentences above. */
  deletedCopy: (fault: string, address: string) =>
    `${fault} Open ${address} to see what is there. Its copy on this device was deleted.`,
};

/** Reasons why llama.cpp can or cannot run a model here. */
export const ggufFitStrings = {
  isMmproj:
    'This file is the part of a model that sees images (mmproj), and cannot answer alone. Choose it together with the file of its model.',
  tooLarge: (bytes: number) =>
    `It needs ${inGigabytes(bytes)} of memory; a browser gives a page at most 4.3 GB for it. Choose a smaller one.`,
  tightMemory: (bytes: number, deviceBytes: number) =>
    `It needs ${inGigabytes(bytes)} of memory; the browser speaks of ${inGigabytes(deviceBytes)} in all, for everything.`,
  noTemplate: 'The file says nothing about how the model chats, so it may only continue texts.',
  slow: 'It runs on the processor and writes slowly there, perhaps slower than you read.',
};

/** Reasons why the files that the user chose cannot be used together. */
export const chosenFileStrings = {
  partsMissing: (count: number, missing: readonly string[]) =>
    `The model is split into ${count} files. Choose them all together; these are missing: ${missing.join(', ')}.`,
  several: 'These are several models. Choose one, or all the files of one that is split.',
  hears: 'One of these files is the part of a model that hears (mmproj). Sounds cannot be sent here: leave it out.',
  mmprojOfEmbedding:
    'One of these files is the part of a model that sees images (mmproj), but the other model compares texts only: leave the first out.',
  noAddress: 'This is no address. Expected is https://…/model.gguf, or hf:owner/repository.',
  noQuantization: (repository: string, wanted: string, known: readonly string[]) =>
    `${repository} has no GGUF file ${wanted}. It has: ${known.join(', ')}.`,
};

function inGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toLocaleString('en', { maximumFractionDigits: 1 })} GB`;
}
