import { realpathSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, ResolvedConfig } from 'vite';
import { listEndpointFiles, serveEndpointFiles } from './endpoint-files.ts';

export interface TabserveOptions {
  /**
   * Address of the site's own service worker, which must mount the endpoint. Default: the one that vite-plugin-pwa
   * registers, if there is one, else the ready-made one, which this plugin adds to the site.
   */
  readonly serviceWorker?: string;
  /** Default: the type that vite-plugin-pwa reports, else `classic`. */
  readonly serviceWorkerType?: 'classic' | 'module';
  /**
   * Path of the endpoint, for the ready-made service worker. A site with its own service worker sets it in `install()`
   * instead. Default: `/v1`, or the path set by a script that imports the ready-made service worker.
   */
  readonly basePath?: string;
  /** Whether the site includes the built-in models (8 MB). Default: true. */
  readonly models?: boolean;
  /**
   * Whether the site offers GGUF models. If so, it includes llama.cpp (30 MB, of which a browser fetches one of two programs), and Vite's servers send the headers for
   * cross-origin isolation, without which llama.cpp has no threads. Default: false.
   */
  readonly gguf?: boolean;
  /**
   * Set false for a strict site: people can add models from the site and from disk only. The site's server has to send
   * headers that enforce it, those of `securityHeaders([])`. Default: true.
   */
  readonly modelHosts?: boolean;
}

/** Value of the constant `TABSERVE_DEFAULTS` in the page's script, from which `register()` takes its defaults. */
type RegisterDefaults = Required<Pick<TabserveOptions, 'serviceWorker' | 'serviceWorkerType'>> & {
  /** Set where vite-plugin-pwa decides when a newer service worker takes over. */
  readonly autoUpdate?: false;
};

/** The used part of the interface that vite-plugin-pwa offers to other plugins. */
interface PwaPlugin {
  readonly api?: {
    /** Undefined if vite-plugin-pwa registers no service worker in this mode. */
    readonly registerSWData?: () => { readonly inlinePath: string; readonly type: 'classic' | 'module' } | undefined;
  };
}

const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'credentialless',
};

/** The page's script. It contains the relative address of {@link ENGINE_WORKER}. */
const PAGE_SCRIPT = 'tabserve.js';
const ENGINE_WORKER = 'tabserve-engine-worker.js';

/**
 * Vite plugin for sites that use Tabserve. The development server and the built site get the service worker script and
 * the built-in models below the site's `base`, where `register()` finds them without options.
 *
 * With vite-plugin-pwa, `register()` uses that plugin's service worker, which must mount the endpoint (`workbox: {
 * importScripts: ['tabserve-service-worker.js'] }`, or `install()` in the site's own script). Engine worker and models
 * are not precached.
 */
export function tabserve(options: TabserveOptions = {}): Plugin {
  return createPlugin(dirname(fileURLToPath(import.meta.url)), options);
}

/** {@link tabserve}, with the built library in the given folder. */
export function createPlugin(library: string, options: TabserveOptions): Plugin {
  const files = listEndpointFiles(library, options);
  const pageScript = realPath(join(library, PAGE_SCRIPT));
  /**
   * Files that are written after vite-plugin-pwa has collected the files to precache, so that it does not precache
   * them.
   */
  const late = new Map<string, string | Uint8Array>();
  let config: ResolvedConfig;
  let defaults: RegisterDefaults;
  let pwa: PwaPlugin | undefined;
  /** Where the pages are built. The configuration may name the folder of another environment, such as that of a server. */
  let folder: string;

  return {
    name: 'tabserve',
    // Runs the hooks of this plugin after those of vite-plugin-pwa.
    enforce: 'post',
    applyToEnvironment: ({ config: { consumer } }) => consumer === 'client',

    // Excludes the page's script from pre-bundling, which would break the engine worker's relative address in it.
    config: () => ({
      optimizeDeps: { exclude: ['tabserve'] },
      ...(options.gguf && { server: { headers: ISOLATION }, preview: { headers: ISOLATION } }),
    }),

    configResolved(resolved) {
      config = resolved;
      pwa = resolved.plugins.find(({ name }) => name === 'vite-plugin-pwa');
    },

    // vite-plugin-pwa is asked in this hook because its answer is complete only here: earlier it does not know the
    // mode, and after the first module that registers the service worker it returns undefined.
    buildStart() {
      const worker = pwa?.api?.registerSWData?.();
      const base = /^\w+:|^\/\//.test(config.base) ? '/' : config.base;
      const {
        serviceWorker = worker?.inlinePath ?? `${base}tabserve-service-worker.js`,
        serviceWorkerType = worker?.type ?? 'classic',
      } = options;
      defaults = { serviceWorker, serviceWorkerType, ...(worker && { autoUpdate: false }) };
    },

    configureServer(server) {
      server.middlewares.use(serveEndpointFiles(files, config.base, options.gguf ? ISOLATION : {}));
    },

    transform: {
      order: 'pre',
      handler(code, id) {
        const file = id.split('?', 1)[0]!;
        if (basename(file) !== PAGE_SCRIPT || realPath(file) !== pageScript) return null;
        // `var`, because merged configurations may have this plugin twice. The service worker of the first one then counts.
        return { code: `var TABSERVE_DEFAULTS = ${JSON.stringify(defaults)};${code}`, map: null };
      },
    },

    generateBundle: {
      order: 'post',
      async handler({ dir }, bundle) {
        folder = resolve(config.root, dir ?? config.build.outDir);
        for (const [path, read] of files) {
          const source = await read();
          if (pwa) late.set(path, source);
          else this.emitFile({ type: 'asset', fileName: path, source });
        }
        if (!pwa) return;
        for (const [path, output] of Object.entries(bundle)) {
          if (output.type !== 'asset' || !output.names.includes(ENGINE_WORKER)) continue;
          late.set(path, output.source);
          delete bundle[path];
        }
      },
    },

    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(failure?: Error) {
        if (failure || late.size === 0) return;
        for (const [path, source] of late) {
          await mkdir(dirname(join(folder, path)), { recursive: true });
          await writeFile(join(folder, path), source);
        }
        late.clear();
        const script = basename(defaults.serviceWorker);
        const code = await readFile(join(folder, script), 'utf8').catch(() => null);
        if (code !== null && !code.includes('tabserve')) config.logger.warn(withoutEndpoint(script));
      },
    },
  };
}

/** Returns the path of a file without symbolic links, which Vite keeps with `preserveSymlinks`; that of no file as it is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function withoutEndpoint(script: string): string {
  return (
    `[tabserve] The site's service worker, ${script}, does not mount the endpoint. Give vite-plugin-pwa ` +
    "`workbox: { importScripts: ['tabserve-service-worker.js'] }`, or call `install()` of `tabserve/service-worker` in a " +
    'service worker of your own.'
  );
}
