const damaged =
  'The copy on the server is damaged or was changed meanwhile: cancel and download afresh, or choose another model.';

export const downloadFailureStrings = {
  network: (file: string, host: string, otherOrigin: boolean) => ({
    message: `The connection to ${host} failed while fetching ${file}.`,
    remedy: otherOrigin
      ? `Check the network, and whether this site's Content-Security-Policy and ${host} itself allow the download from here.`
      : 'Check the network and resume.',
  }),

  blocked: (file: string, url: string, directive: string) => ({
    message: `This site's Content-Security-Policy blocks ${file}: ${url}.`,
    remedy: `Add its origin to the directive ${directive} in the header of the engine worker's script.`,
  }),

  blockedRedirect: (file: string, url: string, directive: string) => ({
    message: `${new URL(url).host} redirects ${file} to a host that this site's Content-Security-Policy does not allow.`,
    remedy: `Open ${url} to see which host that is, and add its origin to the directive ${directive} in the header of the engine worker's script.`,
  }),

  silent: (file: string, host: string) => ({
    message: `${host} sent nothing of ${file} for 30 seconds.`,
    remedy: 'Check the network and resume. What has arrived is kept.',
  }),

  http: (file: string, url: string, status: number, otherOrigin: boolean) => ({
    message: `${new URL(url).host} answered ${status} for ${file}.`,
    remedy: httpRemedy(url, status, otherOrigin),
  }),

  quota: (file: string) => ({
    message: `The browser had no room left for ${file}.`,
    remedy: 'Delete a model here or free disk space, then resume. What has arrived is kept.',
  }),

  quotaAhead: (neededBytes: number, freeBytes: number) => ({
    message: `The model needs ${inMegabytes(neededBytes)} more and the browser grants this site ${inMegabytes(freeBytes)}.`,
    remedy: 'Delete a model here, free disk space or choose a smaller model, then resume.',
  }),

  tooLong: (file: string, announced: number | null, received: number) => ({
    message: `${file} has more than the ${inBytes(announced)} the package announces; ${inBytes(received)} came.`,
    remedy: damaged,
  }),

  tooShort: (file: string, announced: number | null, received: number) => ({
    message: `${file} ended after ${inBytes(received)} where the package announces ${inBytes(announced)}.`,
    remedy: damaged,
  }),

  checksum: (file: string, announced: string | null, received: string) => ({
    message: `${file} arrived with the checksum ${received} where the package says ${announced ?? ''}.`,
    remedy: damaged,
  }),

  unreadable: (file: string) => ({
    message: `${file} cannot be read from your disk any more.`,
    remedy: 'Choose the same file once more. What has been copied is kept.',
  }),

  storage: (file: string) => ({
    message: `The browser could not store ${file}.`,
    remedy: 'Free disk space and resume. In a private window, use a normal one.',
  }),

  content: (file: string, expected: string, url: string) => ({
    message: `${file} is not ${expected}.`,
    remedy: `Open ${url} to see what is there: a sign-in page or a wrong address are the usual reasons.`,
  }),

  foreignFile: (file: string, url: string, address: string) => ({
    message: `${file} names a file outside its own package: ${address.slice(0, 200)}.`,
    remedy: `Choose another package, or correct the list at ${url}: the files of a package must lie below its own address.`,
  }),

  otherVersion: {
    message: 'Another tab with another version of this page is downloading this model already.',
    remedy: 'Reload all tabs of this site, then resume.',
  },

  internal: {
    message: 'Something went wrong inside Tabserve.',
    remedy: 'The browser console has the details. Resuming may help.',
  },

  unreadableTokenizer: (file: string) => `${file} could not be read: most likely it is damaged.`,

  /** For a file that is found damaged when a model is loaded. */
  deletedCopy: (message: string) => `${message} Its copy on this device was deleted: load the model again.`,
};

function httpRemedy(url: string, status: number, otherOrigin: boolean): string {
  if (status === 404 || status === 410)
    return `The package does not have this file at ${url}: ${otherOrigin ? 'check the address, or choose another model.' : 'copy the files of the model there, or give its right address.'}`;
  if (status === 401 || status === 403) return 'The package is not public: choose another model.';
  if (status === 429) return 'The server asks for a pause: resume in a few minutes.';
  return 'The server has trouble: resume later. What has arrived is kept.';
}

function inBytes(bytes: number | null): string {
  return `${(bytes ?? 0).toLocaleString('en')} bytes`;
}

function inMegabytes(bytes: number): string {
  return `${Math.max(0, Math.round(bytes / 1e6)).toLocaleString('en')} MB`;
}
