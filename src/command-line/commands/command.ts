import type { Browser } from '../browser/find-browser.ts';

/** A folder that can be served and whose page brings the endpoint up. */
interface EndpointSite {
  readonly folder: string;
  /** Folder of that page below `folder`, with a slash at its end; empty where it is in the folder itself. */
  readonly page: string;
}

/** Where a command finds what it runs: in the repository it may be built and installed first, in the package it lies there. */
export interface Installation {
  endpointSite(): Promise<EndpointSite>;
  findBrowser(): Browser;
}

/**
 * One command of `tabserve`.
 * @param words Given behind the command's name.
 * @param installation Where it finds what it runs.
 * @param signal Aborts on Ctrl-C.
 * @throws {CommandFailure} that the user can put right.
 */
export type Command = (words: readonly string[], installation: Installation, signal: AbortSignal) => Promise<void>;
