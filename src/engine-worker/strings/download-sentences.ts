import type { EngineSentences, SentenceTable } from '../../shared/coded-sentence.ts';

/** Why a download failed, and what to do about it. */
export const downloadSentences = {
  connectionFailed: (host, file) => `The connection to ${host} failed while fetching ${file}.`,
  siteIsStrict: (host) =>
    `This site is strict: it takes no models from other hosts, so nothing was requested from ${host}.`,
  policyBlocks: (file, url) => `This site's Content-Security-Policy blocks ${file}: ${url}.`,
  policyBlocksRedirect: (host, file) =>
    `${host} redirects ${file} to a host that this site's Content-Security-Policy does not allow.`,
  serverSilent: (host, file) => `${host} sent no part of ${file} for 30 seconds.`,
  serverAnswered: (host, status, file) => `${host} answered ${status} for ${file}.`,
  noRoomForFile: (file) => `The browser ran out of room for ${file}.`,
  noRoomForModel: (neededBytes, freeBytes) =>
    `The model needs ${inMegabytes(neededBytes)} more, and the browser allows this site ${inMegabytes(freeBytes)}.`,
  fileTooLong: (file, announcedBytes, receivedBytes) =>
    `${file} is larger than the ${inBytes(announcedBytes)} that the package lists; ${inBytes(receivedBytes)} arrived.`,
  fileTooShort: (file, receivedBytes, announcedBytes) =>
    `${file} ended after ${inBytes(receivedBytes)}, but the package lists ${inBytes(announcedBytes)}.`,
  wrongChecksum: (file, received, announced) =>
    `${file} arrived with the checksum ${received}, but the package lists ${announced}.`,
  fileUnreadable: (file) => `${file} can no longer be read from your disk.`,
  fileNotStored: (file) => `The browser could not store ${file}.`,
  wrongContent: (file, expected) => `${file} is not ${expected}.`,
  fileReplaced: (file) => `${file} is not the file that was there before.`,
  fileOutsidePackage: (file, address) => `${file} names a file outside its own package: ${address}.`,
  downloadsInOtherTab: 'Another tab, with another version of this page, is already downloading this model.',
  internalFault: 'Something went wrong inside Tabserve.',
  fileDamaged: (file) => `${file} could not be read: most likely it is damaged.`,

  takeModelOfSite: "Choose one of this site's models, or a file from your disk.",
  checkNetwork: 'Check the network and resume.',
  checkNetworkKept: 'Check the network and resume. What you have downloaded is kept.',
  checkNetworkAndPolicy: (host) =>
    `Check the network, and whether this site's Content-Security-Policy and ${host} itself allow the download from here.`,
  addOrigin: (directive) => `Add its origin to the directive ${directive} in the header of the engine worker's script.`,
  addOriginOfRedirect: (url, directive) =>
    `Open ${url} to see which host that is, and add its origin to the directive ${directive} in the header of the engine worker's script.`,
  checkAddress: (url) => `The package does not have this file at ${url}: check the address, or choose another model.`,
  copyFilesTo: (url) =>
    `The package does not have this file at ${url}: copy the files of the model there, or give its right address.`,
  packageNotPublic: 'The package is not public: choose another model.',
  serverAsksForPause: 'The server is limiting requests: resume in a few minutes.',
  serverHasTrouble: 'The server has a problem: resume later. What you have downloaded is kept.',
  freeSpaceKept: 'Delete a model here or free up disk space, then resume. What you have downloaded is kept.',
  freeSpaceOrSmaller: 'Delete a model here, free up disk space or choose a smaller model, then resume.',
  freeDiskSpace: 'Free up disk space and resume. If this is a private window, use a normal one.',
  downloadAfresh:
    'The copy on the server is damaged or has changed in the meantime: cancel and download it again, or choose another model.',
  chooseFileAgain: 'Choose the same file again. What has been copied is kept.',
  openAddress: (url) => `Open ${url} to see what is there: usually it is a sign-in page or a wrong address.`,
  correctList: (url) =>
    `Choose another package, or correct the list at ${url}: the files of a package must lie below its own address.`,
  reloadAllTabs: 'Reload all tabs of this site, then resume.',
  seeConsole: 'The browser console has the details. Resuming may help.',
  loadAgainAfterDeletion: 'Its copy on this device was deleted: load the model again.',
} satisfies Partial<SentenceTable<EngineSentences>>;

function inBytes(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`;
}

function inMegabytes(bytes: number): string {
  return `${Math.max(0, Math.round(bytes / 1e6)).toLocaleString('en')} MB`;
}
