import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from '@playwright/test';
import { bundleEngineWorker, bundleHub, bundleSiteScripts } from '../../../scripts/build/build-library-files.ts';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../../../src/command-line/browser/software-gpu-flags.ts';
import { hubHeaders, securityHeaders } from '../../../src/shared/security/security-headers.ts';
import { sendFile } from '../../../src/command-line/http-server/send-file.ts';
import { packageVersion, PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';
import { wordEngine } from './build-word-site.ts';

/** Hosts of the sites: two of the hub's domain, and two foreign ones. The browser resolves all to this machine. */
const HOSTS = {
  hub: 'hub.same.test',
  first: 'first.same.test',
  second: 'second.same.test',
  foreign: 'foreign.test',
  stranger: 'stranger.test',
  unnamed: 'unnamed.test',
} as const;

export type HubHost = keyof typeof HOSTS;

export interface HubSites {
  /** Address of a site or of the hub, with a trailing slash. */
  readonly url: (host: HubHost) => string;
  /** Bytes of files of models that were sent so far, by host. */
  readonly modelBytes: () => Readonly<Partial<Record<HubHost, number>>>;
  /** Publishes another build of the hub: at first a newer one, then the first one again, and so on. */
  readonly publishHub: () => void;
  /** Whether the hub's server answers. */
  readonly setHubOnline: (isOnline: boolean) => void;
  close(): void;
}

/** Foreign sites that the hub's headers let show its frame. */
const NAMED: readonly HubHost[] = ['foreign', 'stranger'];

/** A page that registers with the hub in its parameter `hub`, and lets tests use the result. */
const SITE_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Site</title><div id="place"></div>
<script type="module">
import { register } from './tabserve.js';
const hub = new URL(location).searchParams.get('hub');
window.tabserve = register(hub === null ? {} : { hub });
</script>`;

/**
 * Serves a hub and sites that name it.
 * @param engine Which engine worker they have: one that counts words, or the real one.
 */
export async function serveHubSites(engine: 'words' | 'real'): Promise<HubSites> {
  const folder = mkdtempSync(join(tmpdir(), 'tabserve-hub-'));
  mkdirSync(join(folder, 'models'));
  await bundleEngineWorker(folder, engine === 'words' ? [wordEngine()] : []);
  await bundleSiteScripts(folder);
  await bundleHub(folder);
  cpSync(join(PROJECT_FOLDER, 'public/models'), join(folder, 'models'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), SITE_PAGE);
  writeFileSync(join(folder, 'tabserve-hub.json'), JSON.stringify({ gguf: engine === 'real' }));
  writeFileSync(join(folder, 'nested.html'), '<!doctype html><html lang="en"><title>Nested</title>');

  // Made when it is first published: it is a copy with all models.
  let newer: string | null = null;
  let hubFolder = folder;
  const bytes: Partial<Record<HubHost, number>> = {};
  let isOnline = true;
  const server = createServer((request, response) => {
    const name = (request.headers.host ?? '').split(':')[0];
    const [host] = Object.entries(HOSTS).find(([, value]) => value === name) ?? ['hub'];
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    if (host === 'hub' && !isOnline) return void request.socket.destroy();
    if (path.startsWith('/models/')) {
      const write = response.write.bind(response);
      response.write = ((chunk: Uint8Array, ...rest: never[]) => {
        bytes[host as HubHost] = (bytes[host as HubHost] ?? 0) + chunk.length;
        return write(chunk, ...rest);
      }) as typeof response.write;
    }
    const isHub = host === 'hub';
    const isOpen = request.url?.includes('framed') ?? false;
    const siteHeaders = isOpen ? {} : strictHeaders();
    const headers: Readonly<Record<string, string>> = isHub
      ? hubHeaders([`http://*.same.test:${port}`, ...NAMED.map(address)], [])
      : siteHeaders;
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    sendFile(isHub ? hubFolder : folder, path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = (host: HubHost) => `http://${HOSTS[host]}:${port}`;
  const strictHeaders = () => ({
    ...securityHeaders([], address('hub')),
    // The page has a script in itself.
    'content-security-policy': securityHeaders([], address('hub'))['content-security-policy']!.replace(
      "script-src 'self'",
      "script-src 'self' 'unsafe-inline'",
    ),
  });
  return {
    url: (host) => `${address(host)}/`,
    modelBytes: () => ({ ...bytes }),
    publishHub() {
      newer ??= newerHub(folder);
      hubFolder = hubFolder === folder ? newer : folder;
    },
    setHubOnline(value) {
      isOnline = value;
      if (!value) server.closeAllConnections();
    },
    close() {
      server.closeAllConnections();
      server.close();
      for (const served of newer === null ? [folder] : [folder, newer])
        rmSync(served, { recursive: true, force: true });
    },
  };
}

/** Copies a hub, with another version in its scripts. Its frames then share an engine of their own. @returns the folder. */
function newerHub(folder: string): string {
  const newer = mkdtempSync(join(tmpdir(), 'tabserve-newer-hub-'));
  cpSync(folder, newer, { recursive: true });
  for (const name of ['tabserve-hub', 'tabserve-hub-page', 'tabserve-engine-worker']) {
    const file = join(newer, `${name}.js`);
    const script = readFileSync(file, 'utf8');
    const changed = script.replaceAll(packageVersion(), `${packageVersion()}-newer`);
    if (changed === script) throw new Error(`${name}.js does not tell its version.`);
    writeFileSync(file, changed);
  }
  return newer;
}

/** A profile and flags of Chromium. */
interface PartitionedProfile {
  readonly profile: string;
  readonly flags: readonly string[];
}

/**
 * Makes a profile, and flags with which the browser finds the sites.
 * @param allowed Sites on which the browser lets the hub use its own storage, as after "Allow" in its question.
 */
export function partitionedProfile(sites: HubSites, allowed: readonly HubHost[]): PartitionedProfile {
  const profile = mkdtempSync(join(tmpdir(), 'tabserve-profile-'));
  process.once('exit', () => rmSync(profile, { recursive: true, force: true }));
  mkdirSync(join(profile, 'Default'));
  const hub = new URL(sites.url('hub'));
  const granted = { last_modified: '13400000000000000', setting: 1 };
  const exceptions = Object.fromEntries(
    allowed.flatMap((host) => [
      [`${hub.origin},http://[*.]${HOSTS[host]}`, granted],
      [`http://[*.]same.test,http://[*.]${HOSTS[host]}`, granted],
    ]),
  );
  const preferences = { profile: { content_settings: { exceptions: { storage_access: exceptions } } } };
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(preferences));
  const origins = (Object.keys(HOSTS) as HubHost[]).map((host) => new URL(sites.url(host)).origin);
  return {
    profile,
    flags: [
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      `--unsafely-treat-insecure-origin-as-secure=${origins.join(',')}`,
    ],
  };
}

/**
 * Starts Chromium with storage partitioned by site, which Playwright switches off.
 * @param allowed See {@link partitionedProfile}.
 * @param gpuFlags Default: WebGPU by software.
 */
export async function openPartitionedBrowser(
  sites: HubSites,
  allowed: readonly HubHost[],
  gpuFlags: readonly string[] = SOFTWARE_GPU_FLAGS,
): Promise<BrowserContext> {
  const { profile, flags } = partitionedProfile(sites, allowed);
  return chromium.launchPersistentContext(profile, {
    executablePath: findBrowser().path,
    ignoreDefaultArgs: true,
    args: ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${profile}`, ...flags, ...gpuFlags],
  });
}
