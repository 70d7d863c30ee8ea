/** Why a file is refused as a GGUF model. */
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
  parts: (parts: number) => `The model is split into ${parts} files. Join them with llama-gguf-split --merge.`,
  /** Follows one of the sentences above. */
  deletedCopy: (fault: string, address: string) =>
    `${fault} Open ${address} to see what is there. Its copy on this device was deleted.`,
};
