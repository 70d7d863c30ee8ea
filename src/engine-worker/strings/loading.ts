/** What is being done while a model is loaded. `share` is 0…1 of the step. */
export const loadingStrings = {
  starting: 'Starting to load',
  lookingForFiles: 'Looking for the files of the model',
  downloading: (receivedBytes: number, totalBytes: number) =>
    `Downloading the model, ${inMegabytes(receivedBytes)} of ${inMegabytes(totalBytes)} MB`,
  weights: (share: number) => `Loading the model onto the graphics device, ${inPercent(share)}`,
  programs: (share: number) => `Preparing the graphics device's programs, ${inPercent(share)}`,
  ready: 'The model is ready',
};

function inPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
