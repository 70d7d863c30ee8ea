/**
 * Faults of a site's service workers and models, for its developer. Few pages ever load them. Addresses are absolute.
 */
export const siteFaultStrings = {
  ownWorker: (worker: string) =>
    `This site has a service worker of its own, ${worker}, and a scope has only one. Tabserve does not replace it. Let it answer for the endpoint too, by importScripts('tabserve-service-worker.js') or by install() of tabserve/service-worker, and name it: register({ serviceWorker: '${new URL(worker).pathname}' }). If the site no longer needs it, delete its script from the server.`,
  widerWorker: (worker: string, wider: string, scope: string) =>
    `The pages below ${scope} belong to Tabserve's service worker, and no longer to ${worker}, which has the wider scope ${wider}: a page has only one service worker, that with the narrowest scope. If these pages need both, mount the endpoint in that worker, by importScripts('tabserve-service-worker.js') or by install() of tabserve/service-worker, and name it: register({ serviceWorker: '${new URL(worker).pathname}' }).`,
  newerWaits: (newer: string, takesOver: boolean) =>
    `The service worker ${newer} has newer options and waits; until it takes over, requests are answered with the earlier options. ${takesOver ? 'It takes over once no response is being sent.' : 'The page does not let it take over by itself (its option autoUpdate).'} To let it take over, call applyUpdate() on the result of register(), which reloads the page, or close all tabs of this site.`,
  newerHasFault: (newer: string, fault: string) =>
    `The service worker ${newer} is newer than the one that answers, but its options are wrong. ${fault}`,
  modelMissing: (id: string, address: string, status: number) =>
    `The files of the model ${id} are missing: for ${address} the server answers ${status}. Put a copy of its folder there (npx tabserve init copies the built-in models), or name only the models that the site has, in the options models and builtInModels of its service worker.`,
} as const;
