import type { Browser } from '../browser/find-browser.ts';

/** A folder to serve, with a page that starts the endpoint. */
interface EndpointSite {
  readonly folder: string;
  /** Subfolder of that page, with a trailing slash; empty if there is none. */
  readonly page: string;
}

/** Finds what a command needs. In the repository it may build the site first; the package contains a built one. */
export interface Installation {
  endpointSite(): Promise<EndpointSite>;
  findBrowser(): Browser;
}

/**
 * One command of `tabserve`.
 * @param words Arguments after the command's name.
 * @param installation Finds the site and the browser.
 * @param signal Aborted on Ctrl-C.
 * @throws {CommandFailure} if the user must fix something.
 */
export type Command = (words: readonly string[], installation: Installation, signal: AbortSignal) => Promise<void>;
