import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs before all other code of each context, and so before any code can look for the features. */
const HIDE = `(() => {
  if (WebAssembly.hasHiddenFeatures) return;
  WebAssembly.hasHiddenFeatures = true;
  delete WebAssembly.Suspending;
  delete WebAssembly.promising;
  const { validate, Memory } = WebAssembly;
  const SMALLEST_64_BIT = '0,97,115,109,1,0,0,0,5,3,1,4,1';
  WebAssembly.validate = (bytes) => String(bytes) !== SMALLEST_64_BIT && validate(bytes);
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, [descriptor]) {
      if (descriptor.address === 'i64') throw new TypeError('64-bit memories are hidden.');
      return new target(descriptor);
    },
  });
})();
`;

/**
 * Changes the scripts of a built site so that each page and worker hides two features of WebAssembly which Safari
 * lacks: JSPI and 64-bit memories. A browser cannot be started without them.
 * @param folder A copy of the site.
 */
export function hideWasmFeatures(folder: string): void {
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  for (const script of scripts) writeFileSync(join(folder, script), HIDE + readFileSync(join(folder, script), 'utf8'));
}
