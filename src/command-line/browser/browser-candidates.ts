import { posix, win32 } from 'node:path';

/** The facts that determine where a machine's programs are. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const LINUX_NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge-stable'];
const LINUX_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/google/chrome', '/snap/bin'];

const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Google Chrome Canary', 'Microsoft Edge'];

const WINDOWS_ROOTS = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'];
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Returns the paths where a system-wide Chromium, Chrome or Edge may be, best first. They need not exist. */
export function systemBrowserCandidates({ platform, environment }: Machine): string[] {
  switch (platform) {
    case 'win32':
      return WINDOWS_ROOTS.flatMap((root) => {
        const folder = environment[root];
        return folder ? WINDOWS_PROGRAMS.map((program) => win32.join(folder, program)) : [];
      });
    case 'darwin':
      return ['/Applications', posix.join(environment['HOME'] ?? '/', 'Applications')].flatMap((folder) =>
        MAC_APPLICATIONS.map((name) => posix.join(folder, `${name}.app/Contents/MacOS/${name}`)),
      );
    default: {
      const onPath = (environment['PATH'] ?? '').split(posix.delimiter).filter(Boolean);
      return [...new Set([...onPath, ...LINUX_FOLDERS])].flatMap((folder) =>
        LINUX_NAMES.map((name) => posix.join(folder, name)),
      );
    }
  }
}
