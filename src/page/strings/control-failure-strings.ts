/**
 * Why a service worker does not control its page as it should, for the site's developer. Few pages ever load them. Addresses
 * are absolute.
 */
export const controlFailureStrings = {
  notInstalled: (script: string) =>
    `The service worker ${script} could not be installed: it stopped while it started, or one of the files that it keeps could not be fetched. If that does not pass by itself, close all tabs of this site, then open it again.`,
  silent: (active: string) =>
    `The service worker ${active} did not reply as Tabserve's does. If that does not pass by itself: when it starts, it must run importScripts('tabserve-service-worker.js'), or call install() of tabserve/service-worker, from a build of the page's version.`,
  wrongOptions: (active: string, fault: string) =>
    `The service worker ${active} answers no requests, since its options are wrong. ${fault}`,
  otherBasePath: (active: string, there: string, here: string) =>
    `The service worker ${active} answers below ${there}, and register() was told ${here}. Give both the same basePath.`,
  otherVersion: (active: string, there: string, here: string) =>
    `The service worker ${active} and this page are of different versions of Tabserve: ${there} there, ${here} here. Run npx tabserve init with the folder of the site's static files, which then has the scripts of the package's version, rebuild the page, and reload it.`,
  otherVersionWaits: (active: string, there: string, here: string) =>
    `The service worker ${active} and this page are of different versions of Tabserve: ${there} there, ${here} here. The right one has been fetched and waits: close the other tabs of this site, then reload the page.`,
  otherController: (script: string, controller: string | undefined) =>
    controller === undefined
      ? `The service worker ${script} did not take control of this page. If that does not pass by itself, reload the page.`
      : `The requests of this page go to another service worker, ${controller}, whose scope is narrower than that of ${script}. Unregister it, or let it call install().`,
  cachesSilent:
    "The browser's Cache Storage, which holds the files of this site, does not respond. Close all windows of the browser and start it again: reloading the page does not help.",
  goPast: (address: string, status: number) =>
    `The requests of this page bypass the service worker that controls it according to the browser: ${address} was answered by the web server, with ${status}. Reload the page.`,
} as const;
