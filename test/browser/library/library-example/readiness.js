import { register } from './tabserve.js';

// The options are in the address. No other code handles the rejection of `ready`.
const options = Object.fromEntries(new URLSearchParams(location.search));
globalThis.register = register;
globalThis.tabserve = register(options);
globalThis.report = () =>
  globalThis.tabserve.ready.then(
    () => ({ outcome: 'ready', status: globalThis.tabserve.status }),
    ({ name, code, message }) => ({ outcome: { name, code, message }, status: globalThis.tabserve.status }),
  );
