export type WorkerKind = 'service worker' | 'engine worker';

/** How `register()` is told where a worker's script is. */
export const scriptOption = (kind: WorkerKind) =>
  kind === 'service worker' ? "register({ serviceWorker: '…' })" : "register({ engineWorker: '…' })";

/** Failures to start the endpoint, for the site's developer. Addresses are absolute. */
export const failureStrings = {
  otherOptions: (names: readonly string[]) =>
    `register() was called again, with other options (${names.join(', ')}). They have no effect: call dispose() on the earlier result first.`,
  disposed: 'This page no longer uses Tabserve: dispose() was called.',
  noHandshake: 'The engine was started several times, and ended or did not respond.',
  notInTime: 'The engine did not start in time.',
  noEngineInTime: (seconds: number) =>
    `This page reached no engine within ${seconds} seconds, and asks for another one. If that does not help, close the other tabs of this site.`,
  dataCleared: "This site's data were cleared: the engine is restarting.",
  noLlamaCpp: 'This site does not serve llama.cpp (its option gguf), with which the built-in model needs no WebGPU.',
  noEngineTab: 'No tab of this site runs the engine.',
  noAddress: (option: string, value: string) => `The option ${option} of register() is not a valid address: ${value}.`,
  otherOrigin: (kind: WorkerKind, script: string, origin: string) =>
    `The ${kind} script ${script} does not have this page's origin, ${origin}. Browsers accept it from there only: copy it to this site, and call ${scriptOption(kind)}.`,
  outsideScope: (page: string, scope: string, script: string) =>
    `This page, ${page}, is outside the scope of the service worker, ${scope}, which sees none of its requests. ` +
    `Move the script ${script} to the page's folder or one above it, and tell register() its new address; ` +
    'or serve it with the header Service-Worker-Allowed, and name the wider scope in the option scope of register().',
  unreachable: (kind: WorkerKind, script: string) =>
    `The ${kind} script ${script} could not be fetched. Check the connection, then try again.`,
  blocked: (address: string, directive: string) =>
    `This site's Content-Security-Policy blocks ${address} by its directive ${directive}. Add 'self' to that; contentSecurityPolicyDirectives() gives all that Tabserve needs.`,
} as const;
