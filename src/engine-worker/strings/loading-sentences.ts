import type { EngineSentences, SentenceTable } from '../../shared/coded-sentence.ts';

/** Reasons why a model cannot, or may not, run on the graphics device; steps of a load, and why it failed. */
export const loadingSentences = {
  noGraphicsDevice: 'This browser gives no access to a graphics device.',
  smallBuffers: 'The graphics device allows no buffer of 256 MB, the least WebLLM works with.',
  smallBindings: 'The graphics device lets a shader reach less than 128 MB at once.',
  smallWorkgroups: 'The graphics device has less than 32 KB of workgroup memory.',
  fewBuffers: 'The graphics device gives a shader fewer than 10 buffers.',
  halfPrecisionMissing:
    'It computes with 16-bit numbers (shader-f16), which this graphics device or browser lacks. Take the q4f32 variant.',
  featureMissing: (feature) => `It needs the graphics feature ${feature}, which this device or browser lacks.`,
  halfPrecisionLikely:
    'It probably computes with 16-bit numbers (shader-f16), which this graphics device or browser lacks. The q4f32 variant is safe.',
  shortBinding: (neededBytes, grantedBytes) =>
    `A shader must reach ${inMebibytes(neededBytes)} at once; here it reaches ${inMebibytes(grantedBytes)}.`,
  tightGraphicsMemory: (neededBytes, deviceBytes) =>
    `It needs ${inMebibytes(neededBytes)} of graphics memory; the browser speaks of ${inMebibytes(deviceBytes)} of main memory.`,

  loadStarting: 'Starting to load',
  lookingForFiles: 'Looking for the files of the model',
  downloadingModel: (receivedBytes, totalBytes) =>
    `Downloading the model, ${inMegabytes(receivedBytes)} of ${inMegabytes(totalBytes)} MB`,
  loadingWeights: (share) => `Loading the model onto the graphics device, ${inPercent(share)}`,
  preparingShaders: (share) => `Preparing the graphics device's programs, ${inPercent(share)}`,
  checkingPromptCache: (step, steps) =>
    `Checking once whether prompts can be cached on this device, step ${step} of ${steps}`,
  openingBrowserModel: (share) => `The browser gets its own model, ${inPercent(share)}`,
  readingIntoMemory: 'Loading the model into main memory',
  modelReady: 'The model is ready',

  webGpuMissing: (model) =>
    `${model} needs WebGPU, which this browser does not offer. Choose a GGUF model, which runs on the processor.`,
  deviceFeatureMissing: (model) =>
    `The graphics device lacks a feature that ${model} needs. Choose a variant of the model with f32 in its name.`,
  deviceLostWhileLoading: (model) =>
    `The graphics device was lost while ${model} was put on it; most likely its memory is too small. Close other tabs or choose a smaller model.`,
  webAssemblyForbidden:
    "This site's Content-Security-Policy forbids WebAssembly, which every model needs. Add 'wasm-unsafe-eval' to its script-src directive, in the header of the engine worker's script too.",
  libraryNotStarted: (model) =>
    `The library of ${model} could not be started. It does not fit this version of WebLLM, or this package: take the library that belongs to the package.`,
  filesDoNotFit: (model) =>
    `${model} could not be loaded: its files do not fit together. Delete the model and download it again.`,
  webLlmUnreachable:
    'The engine itself could not be fetched from this site, whose server may be away. Check the network; trying again may help.',
} satisfies Partial<SentenceTable<EngineSentences>>;

/** Prints mebibytes with the unit MB: GPU limits are powers of two but are commonly labelled MB. */
function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MB`;
}

function inPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
