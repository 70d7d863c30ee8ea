import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { PROJECT_FOLDER } from '../project-folders.ts';
import { compressCode } from './compress-script.ts';

export const DIALECTS_SCRIPT = 'tabserve-dialects.js';

/** The module whose place the loader of the script takes. */
const LOADED = '/service-worker/routes/load-dialect-routes.ts';
const ENTRY = 'src/service-worker/routes/dialects-script.ts';
/** The modules that only the script contains. It gets all others from the service worker's main script. */
const OWN_MODULES = /\/service-worker\/(messages-api\/|responses-api\/|routes\/(?:dialect|rerank)|request\/rerank)/;
/** Marks a module of the main script in the code of the script. */
const SHARED = 'shared:';
const IMPORT = /^import \{([^}]*)\} from "shared:(.*)";$/gm;
const EXPORTED_NAME = /(?<! as |[\w$])[\w$]+(?= *(?:,|$| as ))/g;

/**
 * Puts the routes of the dialects beside Chat Completions into a script of its own, which the service worker imports when it
 * is installed and evaluates again when a request first needs it. Both scripts have one copy of the modules they share.
 */
export function splitDialects(): Plugin {
  return {
    name: 'tabserve:split-dialects',
    apply: 'build',
    async load(id) {
      if (!id.endsWith(LOADED)) return null;
      const code = await bundleDialects();
      const names = new Map<string, string>();
      const destructured = code.replace(IMPORT, (_, bindings: string, module: string) => {
        for (const [name] of bindings.matchAll(EXPORTED_NAME)) {
          const other = names.get(name) ?? module;
          if (other !== module) throw new Error(`Both ${other} and ${module} export ${name}: rename one of them.`);
          names.set(name, module);
        }
        return `const {${bindings.replaceAll(' as ', ': ')}} = tabserveShared;`;
      });
      const source = await compressCode(`{\n${destructured}\n}`);
      this.emitFile({ type: 'asset', fileName: DIALECTS_SCRIPT, source });
      // A browser may take an imported script from its HTTP cache: the address keeps it from taking one of another build.
      const version = createHash('sha256').update(source).digest('hex').slice(0, 8);
      return loaderOf(names, `${DIALECTS_SCRIPT}?${version}`);
    },
  };
}

/** The code of the script, with an import of each module of the main script. */
async function bundleDialects(): Promise<string> {
  const result = await build({
    configFile: false,
    root: PROJECT_FOLDER,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'tabserve:shared-modules',
        enforce: 'pre',
        async resolveId(source, importer, options) {
          if (importer === undefined) return null;
          const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
          if (resolved === null || OWN_MODULES.test(resolved.id)) return resolved;
          return { id: `${SHARED}${resolved.id}`, external: true };
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry: join(PROJECT_FOLDER, ENTRY), formats: ['es'], fileName: () => DIALECTS_SCRIPT },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = [result].flat();
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error(`${ENTRY} was not bundled.`);
  return chunk.code;
}

/**
 * The code that loads the script.
 * @param names Names that the script uses → the modules that export them.
 */
function loaderOf(names: ReadonlyMap<string, string>, address: string): string {
  const imports = [...names].map(([name, module]) => `import { ${name} } from ${JSON.stringify(module)};`);
  return `${imports.join('\n')}
const shared = { ${[...names.keys()].join(', ')} };
function load() {
  self.tabserveShared = shared;
  importScripts(${JSON.stringify(address)});
}
export function loadDialectRoutes() {
  if (self.tabserveDialectRoutes === undefined) load();
  return self.tabserveDialectRoutes;
}
// Once it is installed, a service worker may import only what it imported before. A script that is missing fails the
// installation.
self.addEventListener('install', (event) => event.waitUntil((async () => load())()));
`;
}
