import type { EngineSentences, SentenceTable } from '../../shared/coded-sentence.ts';

/** Reasons why a model cannot, or may not, run on the graphics processor; steps of a load, and why it failed. */
export const loadingSentences = {
  noGraphicsDevice: 'This browser gives no access to a graphics processor.',
  smallBuffers: 'The graphics processor allows no buffer of 256 MB, the minimum for WebLLM.',
  smallBindings: 'The graphics processor lets a shader access less than 128 MB at once.',
  smallWorkgroups: 'The graphics processor has less than 32 KB of workgroup memory.',
  fewBuffers: 'The graphics processor allows fewer than 10 buffers per shader.',
  halfPrecisionMissing:
    'It needs 16-bit arithmetic (shader-f16), which this graphics processor or browser lacks. Choose the q4f32 variant.',
  featureMissing: (feature) => `It needs the graphics feature ${feature}, which this device or browser lacks.`,
  halfPrecisionLikely:
    'It probably needs 16-bit arithmetic (shader-f16), which this graphics processor or browser lacks. The q4f32 variant does not.',
  shortBinding: (neededBytes, grantedBytes) =>
    `A shader must access ${inMebibytes(neededBytes)} at once; here it can access ${inMebibytes(grantedBytes)}.`,
  tightGraphicsMemory: (neededBytes, deviceBytes) =>
    `It needs ${inMebibytes(neededBytes)} of graphics memory; the browser reports ${inMebibytes(deviceBytes)} of main memory.`,

  loadStarting: 'Starting to load',
  lookingForFiles: "Looking for the model's files",
  downloadingModel: (receivedBytes, totalBytes) =>
    `Downloading the model, ${inMegabytes(receivedBytes)} of ${inMegabytes(totalBytes)} MB`,
  checkingFile: (share) => `Checking what was downloaded, ${inPercent(share)}`,
  loadingWeights: (share) => `Loading the model onto the graphics processor, ${inPercent(share)}`,
  preparingShaders: (share) => `Preparing the graphics processor, ${inPercent(share)}`,
  checkingPromptCache: (step, steps) =>
    `Checking once whether prompts can be cached on this device, step ${step} of ${steps}`,
  openingBrowserModel: (share) => `The browser is getting its own model, ${inPercent(share)}`,
  readingIntoMemory: 'Loading the model into main memory',
  modelReady: 'The model is ready',

  webGpuMissing: (model) =>
    `${model} needs WebGPU, which this browser does not offer. Choose a GGUF model, which runs on the CPU.`,
  deviceFeatureMissing: (model) =>
    `The graphics processor lacks a feature that ${model} needs. Choose a variant of the model with f32 in its name.`,
  deviceLostWhileLoading: (model) =>
    `The graphics processor was reset while ${model} was loaded onto it; most likely its memory is too small. Close other tabs or choose a smaller model.`,
  webAssemblyForbidden:
    "This site's Content-Security-Policy forbids WebAssembly, which every model needs. Add 'wasm-unsafe-eval' to its script-src directive, in the header of the engine worker's script too.",
  libraryNotStarted: (model) =>
    `The library of ${model} could not be started. It does not match this version of WebLLM, or this package: use the library that belongs to the package.`,
  filesDoNotFit: (model) =>
    `${model} could not be loaded: its files do not match each other. Delete the model and download it again.`,
  webLlmUnreachable:
    'The engine could not be downloaded from this site; its server may be unreachable. Check the network, then try again.',
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
