import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, ResolvedConfig } from 'vite';
import { listSiteFiles, serveSiteFiles } from './site-files.ts';

export interface TabserveOptions {
  /**
   * Address of a service worker of the site's own that mounts the endpoint, as it is registered. Default: that of
   * vite-plugin-pwa where this plugin finds one that registers it, else the ready-made one, which it adds to the site.
   */
  readonly serviceWorker?: string;
  /** Default: `classic`, or what vite-plugin-pwa says of its own. */
  readonly serviceWorkerType?: 'classic' | 'module';
  /**
   * Path of the endpoint below the origin, for the ready-made service worker; the pages learn it from that. A service worker
   * of the site's own is told it by `install()`. Default: `/v1`, or what a script says that imports the ready-made one.
   */
  readonly basePath?: string;
  /** Whether the built-in models are part of the site: 8 MB. Default: true. */
  readonly models?: boolean;
}

/** What `register()` takes for its defaults when it finds a constant `TABSERVE_DEFAULTS` before it. */
type RegisterDefaults = Required<Pick<TabserveOptions, 'serviceWorker' | 'serviceWorkerType'>>;

/** The part of vite-plugin-pwa's interface for other plugins that is used here. */
interface PwaPlugin {
  readonly api?: {
    /** Undefined where it registers nothing: it is switched off, also just for development, or leaves that to the site. */
    readonly registerSWData?: () => { readonly inlinePath: string; readonly type: 'classic' | 'module' } | undefined;
  };
}

/** Its page's script, which names the engine worker beside it. */
const PAGE_SCRIPT = 'tabserve.js';
const ENGINE_WORKER = 'tabserve-engine-worker.js';

/**
 * Vite plugin for sites that use Tabserve: development server and built site have the service worker script and the
 * built-in models below the site's `base`, and `register()` finds them there without options.
 *
 * Beside vite-plugin-pwa, `register()` takes the service worker of that one, which then has to mount the endpoint
 * (`workbox: { importScripts: ['tabserve-service-worker.js'] }`, or `install()` in a script of the site's own); engine
 * and models are no part of what it precaches.
 */
export function tabserve(options: TabserveOptions = {}): Plugin {
  return createPlugin(dirname(fileURLToPath(import.meta.url)), options);
}

/** {@link tabserve}, for a library in this folder. */
export function createPlugin(library: string, options: TabserveOptions): Plugin {
  const files = listSiteFiles(library, options);
  const pageScript = join(library, PAGE_SCRIPT);
  /** What is written only after vite-plugin-pwa has listed the files of the site. */
  const late = new Map<string, string | Uint8Array>();
  let config: ResolvedConfig;
  let defaults: RegisterDefaults;
  let pwa: PwaPlugin | undefined;

  return {
    name: 'tabserve',
    // After vite-plugin-pwa has listed the site's files.
    enforce: 'post',
    applyToEnvironment: ({ config: { consumer } }) => consumer === 'client',

    // Bundled together with other packages the page's script would no longer lie beside the engine worker.
    config: () => ({ optimizeDeps: { exclude: ['tabserve'] } }),

    configResolved(resolved) {
      config = resolved;
      pwa = resolved.plugins.find(({ name }) => name === 'vite-plugin-pwa');
    },

    // Not before: vite-plugin-pwa knows by now whether it is built or developed. Nor later: from the first module that
    // registers its service worker by itself on it says nothing more.
    buildStart() {
      const worker = pwa?.api?.registerSWData?.();
      const base = /^\w+:|^\/\//.test(config.base) ? '/' : config.base;
      const {
        serviceWorker = worker?.inlinePath ?? `${base}tabserve-service-worker.js`,
        serviceWorkerType = worker?.type ?? 'classic',
      } = options;
      defaults = { serviceWorker, serviceWorkerType };
    },

    configureServer(server) {
      server.middlewares.use(serveSiteFiles(files, config.base));
    },

    transform: {
      order: 'pre',
      handler(code, id) {
        if (resolve(id.split('?', 1)[0]!) !== pageScript) return null;
        return { code: `const TABSERVE_DEFAULTS = ${JSON.stringify(defaults)};${code}`, map: null };
      },
    },

    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
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
        const folder = resolve(config.root, config.build.outDir);
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

function withoutEndpoint(script: string): string {
  return (
    `[tabserve] The site's service worker, ${script}, does not mount the endpoint. Give vite-plugin-pwa ` +
    "`workbox: { importScripts: ['tabserve-service-worker.js'] }`, or call `install()` of `tabserve/service-worker` in a " +
    'service worker of your own.'
  );
}
