import { KERNEL_COUNT, TEXTS } from './package-data';
import { makeString, StringObject } from './ffi/string-object';

// `package-data.ts` is generated for each model package (see build/compile-library.ts), so it is not in this folder.
// Its TEXTS contains length-prefixed strings: metadata, a table of all kernels, then name, description and WGSL of each
// kernel.

export function metadataText(): StringObject {
  return textObject(0);
}

/** Returns a JSON object that maps kernel names to their descriptions. */
export function kernelTable(): StringObject {
  return textObject(1);
}

export function kernelDescription(kernel: i32): StringObject {
  return textObject(3 + 3 * kernel);
}

export function kernelCode(kernel: i32): StringObject {
  return textObject(4 + 3 * kernel);
}

/** Returns the index of the kernel with this name, or -1 if there is none. */
export function kernelNamed(name: StringObject): i32 {
  for (let kernel = 0; kernel < KERNEL_COUNT; kernel++) {
    const text = textAddress(2 + 3 * kernel);
    if (load<u32>(text) != name.length) continue;
    if (memory.compare(text + 4, name.data, name.length) == 0) return kernel;
  }
  return -1;
}

function textObject(index: i32): StringObject {
  const text = textAddress(index);
  return makeString(text + 4, load<u32>(text));
}

function textAddress(index: i32): usize {
  let text = TEXTS;
  for (let i = 0; i < index; i++) text += 4 + load<u32>(text);
  return text;
}
