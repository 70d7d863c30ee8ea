type Worker = 'service worker' | 'engine worker';

const example = (kind: Worker) =>
  kind === 'service worker' ? "register({ serviceWorker: '…' })" : "register({ engineWorker: '…' })";

/** Failures to start the endpoint, for the site's developer. Addresses are absolute. */
export const failureStrings = {
  otherOptions: (names: readonly string[]) =>
    `register() was called again, with other options (${names.join(', ')}). They have no effect: this page is registered with those of the first call. Call dispose() on what that gave before registering anew.`,
  disposed: 'This page no longer uses Tabserve: dispose() was called.',
  noHandshake: 'The engine was started several times, and each time it ended or did not respond.',
  notInTime: 'The engine did not start in time.',
  noEngineInTime: (seconds: number) =>
    `This page reached no engine within ${seconds} seconds, so it gives this attempt up and asks for another engine. If that does not help, close the other tabs of this site: one of them may hold its locks.`,
  dataCleared: "This site's data were cleared, and the engine is started anew.",
  noLlamaCpp: 'This site does not serve llama.cpp (its option gguf), with which the built-in model needs no WebGPU.',
  noEngineTab: 'No tab of this site runs the engine.',
  noAddress: (option: string, value: string) => `The option ${option} of register() is not a valid address: ${value}.`,
  otherOrigin: (kind: Worker, script: string, origin: string) =>
    `The ${kind} script ${script} is not of this page's origin, ${origin}. Browsers take it from there only: copy it to this site, and tell register() where it is: ${example(kind)}.`,
  outsideScope: (page: string, scope: string, script: string) =>
    `This page, ${page}, is outside the scope of the service worker, ${scope}, which therefore never sees its requests. ` +
    `Either move the script ${script} to the page's folder or one above it, and tell register() its new address; ` +
    'or leave it where it is, serve it with the header Service-Worker-Allowed, and name the wider scope in the option scope of register().',
  answered: (kind: Worker, script: string, status: number, type: string) =>
    `The ${kind} script is missing: for ${script} the server answers ${status} (${type}). Copy it there, or tell register() where it is: ${example(kind)}.`,
  redirected: (kind: Worker, script: string) =>
    `The ${kind} script ${script} is redirected to another address, which browsers refuse. Tell register() the last address.`,
  notAScript: (kind: Worker, script: string, type: string) =>
    `The ${kind} script is missing: for ${script} the server answers with ${type}, no JavaScript. Copy the script there, or tell register() where it is: ${example(kind)}.`,
  unreachable: (kind: Worker, script: string) =>
    `The ${kind} script ${script} could not be fetched. Check the connection, then try again.`,
  blocked: (address: string, directive: string) =>
    `This site's Content-Security-Policy blocks ${address}: its directive ${directive} does not allow it. Add 'self' to ${directive}; contentSecurityPolicyDirectives() gives all that Tabserve needs.`,
  refused: (kind: Worker, script: string, reason: string) =>
    `The browser did not take ${script} as the ${kind} of this page: ${reason || 'its console says why.'}`,
  notInstalled: (script: string) =>
    `The service worker ${script} could not be installed: it stopped while it started, or one of the files that it keeps could not be fetched. Close all tabs of this site, then open it again.`,
  cachesSilent:
    "The browser's Cache Storage, which holds the files of this site, does not respond. Close all windows of the browser and start it again: reloading the page does not help.",
  silent: (active: string) =>
    `The service worker ${active} did not identify itself as Tabserve's. When it starts, it must run importScripts('tabserve-service-worker.js'), or call install() of tabserve/service-worker, from a build of the page's version.`,
  wrongOptions: (active: string, fault: string) =>
    `The service worker ${active} answers no requests, since its options are wrong. ${fault}`,
  otherBasePath: (active: string, there: string, here: string) =>
    `The service worker ${active} answers below ${there}, and register() was told ${here}. Give both the same basePath.`,
  otherVersion: (active: string, there: string, here: string) =>
    `The service worker ${active} and this page are of different versions of Tabserve: ${there} there, ${here} here. Run npx tabserve init with the folder of the site's static files, which then has the scripts of the package's version, build the page anew, and reload it.`,
  otherVersionWaits: (active: string, there: string, here: string) =>
    `The service worker ${active} and this page are of different versions of Tabserve: ${there} there, ${here} here. The right one has been fetched and waits: close the other tabs of this site, then reload the page.`,
  goPast: (address: string, status: number) =>
    `The requests of this page bypass the service worker that controls it according to the browser: ${address} was answered by the web server, with ${status}. Reload the page.`,
  otherController: (script: string, controller: string | undefined) =>
    controller === undefined
      ? `The service worker ${script} did not take control of this page. Reload the page.`
      : `The requests of this page go to another service worker, ${controller}, whose scope is narrower than that of ${script}. Unregister it, or let it call install().`,
} as const;
