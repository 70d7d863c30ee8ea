import { emptyStrings } from '../strings/conversation-strings.ts';

/** Matches adapters that compute on the CPU: those of Chromium, Mesa and Windows. */
const SOFTWARE = /swiftshader|llvmpipe|basic render/i;

/** Vendors and architectures that are not spelled as WebGPU spells them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  rdna: 'RDNA',
  gcn: 'GCN',
  cdna: 'CDNA',
};

/**
 * Returns the display name of the GPU or CPU that runs a model: `AMD RDNA 2` for `amd rdna-2`.
 * @param gpu Description of the WebGPU adapter or, without one, its vendor and architecture in lower case.
 */
export function processorName(gpu: string): string {
  if (SOFTWARE.test(gpu)) return emptyStrings.processor;
  // A description has capital letters and is already meant for people.
  if (/[A-Z]/.test(gpu)) return gpu;
  return gpu
    .replaceAll('-', ' ')
    .replace(/\b[a-z]\w*/g, (word) => SPELLINGS[word] ?? word[0]!.toUpperCase() + word.slice(1));
}
