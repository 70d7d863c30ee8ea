import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build, parseAst, type Plugin } from 'vite';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { compressCode } from './compress-script.ts';

export const ON_DEMAND_SCRIPT = 'tabserve-on-demand-routes.js';

/** The module that is replaced by code that loads the on-demand script. */
const LOADED = '/service-worker/routes/load-on-demand-routes.ts';
const ENTRY = 'src/service-worker/routes/on-demand-routes-script.ts';
/** Matches the modules that only this script contains. All other modules come from the service worker's main script. */
const OWN_MODULES = /\/service-worker\/(messages-api\/|responses-api\/|routes\/(?:on-demand|rerank)|request\/rerank)/;
/** While the on-demand script is bundled, marks its imports of modules that are in the service worker's main script. */
const SHARED = 'shared:';

/**
 * Moves the routes of the Responses, Messages and Rerank APIs to a separate script. The service worker imports it
 * during installation and, after each later start, when a request first needs one of these routes. The two scripts
 * share their common modules.
 */
export function splitOnDemandRoutes(): Plugin {
  return {
    name: 'tabserve:split-on-demand-routes',
    apply: 'build',
    async load(id) {
      if (!id.endsWith(LOADED)) return null;
      const { names, code } = takeFromMainScript(await bundleOnDemandRoutes());
      const source = await compressCode(`{\n${code}\n}`);
      this.emitFile({ type: 'asset', fileName: ON_DEMAND_SCRIPT, source });
      // A browser may load an imported script from its HTTP cache. The version in the address prevents that it loads
      // the script of another build.
      const version = createHash('sha256').update(source).digest('hex').slice(0, 8);
      return loaderOf(names, `${ON_DEMAND_SCRIPT}?${version}`);
    },
  };
}

/**
 * Replaces the imports of a bundle by constants taken from the object in which the main script passes its exports.
 * @returns The code, and the imported names with the modules that export them.
 * @throws Error if two modules export the same name, because that object has one key for each name.
 */
function takeFromMainScript(bundle: string): { readonly names: ReadonlyMap<string, string>; readonly code: string } {
  const names = new Map<string, string>();
  let code = '';
  let end = 0;
  for (const node of parseAst(bundle).body) {
    if (node.type !== 'ImportDeclaration') continue;
    const module = node.source.value.replace(SHARED, '');
    const bindings = node.specifiers.map((specifier) => {
      if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier')
        throw new Error(`${module} must be imported by the names of its exports.`);
      const { name } = specifier.imported;
      const other = names.get(name) ?? module;
      if (other !== module) throw new Error(`Both ${other} and ${module} export ${name}: rename one of them.`);
      names.set(name, module);
      return `${name}: ${specifier.local.name}`;
    });
    code += `${bundle.slice(end, node.start)}const { ${bindings.join(', ')} } = tabserveShared;`;
    end = node.end;
  }
  return { names, code: code + bundle.slice(end) };
}

/** Bundles the on-demand script. The modules of the main script stay imports. */
async function bundleOnDemandRoutes(): Promise<string> {
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
      lib: { entry: join(PROJECT_FOLDER, ENTRY), formats: ['es'], fileName: () => ON_DEMAND_SCRIPT },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = [result].flat();
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error(`${ENTRY} was not bundled.`);
  return chunk.code;
}

/**
 * Returns the code that loads the on-demand script.
 * @param names The names that it takes from the main script, with the modules that export them.
 */
function loaderOf(names: ReadonlyMap<string, string>, address: string): string {
  const imports = [...names].map(([name, module]) => `import { ${name} } from ${JSON.stringify(module)};`);
  return `${imports.join('\n')}
const shared = { ${[...names.keys()].join(', ')} };
function load() {
  self.tabserveShared = shared;
  importScripts(${JSON.stringify(address)});
}
export function loadOnDemandRoutes() {
  if (self.tabserveOnDemandRoutes === undefined) load();
  return self.tabserveOnDemandRoutes;
}
// After its installation a service worker may import only scripts that it has imported before. If the script is
// missing, the installation fails.
self.addEventListener('install', (event) => event.waitUntil((async () => load())()));
`;
}
