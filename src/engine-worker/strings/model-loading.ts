/** Reasons why a model cannot, or may not, run on this device. */
export const deviceFitStrings = {
  noDevice: 'This browser gives no access to a graphics device.',
  smallBuffers: 'The graphics device allows no buffer of 256 MB, the least WebLLM works with.',
  smallBindings: 'The graphics device lets a shader reach less than 128 MB at once.',
  smallWorkgroups: 'The graphics device has less than 32 KB of workgroup memory.',
  fewBuffers: 'The graphics device gives a shader fewer than 10 buffers.',
  missingFeature: (feature: string) =>
    feature === 'shader-f16'
      ? 'It computes with 16-bit numbers (shader-f16), which this graphics device or browser lacks. Take the q4f32 variant.'
      : `It needs the graphics feature ${feature}, which this device or browser lacks.`,
  unlistedHalfPrecision:
    'It probably computes with 16-bit numbers (shader-f16), which this graphics device or browser lacks. The q4f32 variant is safe.',
  shortBinding: (neededBytes: number, grantedBytes: number) =>
    `A shader must reach ${inMebibytes(neededBytes)} at once; here it reaches ${inMebibytes(grantedBytes)}.`,
  tightMemory: (neededBytes: number, deviceBytes: number) =>
    `It needs ${inMebibytes(neededBytes)} of graphics memory; the browser speaks of ${inMebibytes(deviceBytes)} of main memory.`,
};

/** Prints mebibytes with the unit MB: GPU limits are powers of two but are commonly labelled MB. */
function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MB`;
}

/** Sentences about the steps of loading. `share` is the step's progress, 0…1. */
export const loadingStrings = {
  starting: 'Starting to load',
  lookingForFiles: 'Looking for the files of the model',
  downloading: (receivedBytes: number, totalBytes: number) =>
    `Downloading the model, ${inMegabytes(receivedBytes)} of ${inMegabytes(totalBytes)} MB`,
  weights: (share: number) => `Loading the model onto the graphics device, ${inPercent(share)}`,
  programs: (share: number) => `Preparing the graphics device's programs, ${inPercent(share)}`,
  checking: (step: number, steps: number) =>
    `Checking once whether prompts can be cached on this device, step ${step} of ${steps}`,
  needsGpu: (model: string) =>
    `${model} needs WebGPU, which this browser does not offer. Choose a GGUF model, which runs on the processor.`,
  browser: (share: number) => `The browser gets its own model, ${inPercent(share)}`,
  processor: 'Loading the model into main memory',
  ready: 'The model is ready',
};

/** Reasons why the worker for llama.cpp does not run. */
export const helperStrings = {
  noPage: 'No page of this site is open that could run llama.cpp. Open one and try again.',
  failed: (script: string, message: string) =>
    `The browser did not start the worker for llama.cpp${message && ` (${message})`}. Open ${script}: the site must serve it, with the header Cross-Origin-Embedder-Policy if its pages have that, and allow it in the directive worker-src of its Content-Security-Policy.`,
  silent: (script: string, seconds: number) =>
    `The worker for llama.cpp (${script}) did not start within ${seconds} seconds. Try again; if that does not help, reload the page.`,
  silentWhileLoading: (seconds: number) =>
    `llama.cpp made no progress in loading the model for ${seconds} seconds, so it was stopped. Close other tabs and try again, or choose a smaller model.`,
  refused: (complaint: string) =>
    `llama.cpp could not load the model (${complaint}). Check the file, or choose another model.`,
  refusedMmproj: (complaint: string) =>
    `llama.cpp could not load the model with its image encoder, the file named as mmproj (${complaint}). Check that file, or add the model without it.`,
  wrongMmproj:
    'The image encoder (mmproj) belongs to another model: its vectors are not as long as those of this one. Take the file that the publisher offers with this model, or add the model without it.',
  crashed: (complaint: string) =>
    `llama.cpp has stopped (${complaint}). Try again; if memory is short, choose a smaller model or context window.`,
  lost: 'The page that ran llama.cpp was closed or frozen. Try again: another page takes over.',
};

function inPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
