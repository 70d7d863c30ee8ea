import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { DIST_FOLDER } from '../../src/command-line/project-folders.ts';
import { BILL_OF_MATERIALS, billOfMaterials } from './bill-of-materials.ts';
import { noticeIn, noticesText } from './third-party-notices.ts';

/** Folders of the packages bundled into the site. */
const folders = new Set<string>();

/**
 * Records the packages that a build bundles. Add it to each of the site's builds (page, workers, service worker).
 * Vite's `build.license` does not suffice: each build would overwrite the file of the build before.
 */
export function notePackages(): Plugin {
  return {
    name: 'tabserve:note-packages',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        for (const id of file.moduleIds) {
          const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/')) ?? [];
          if (folder !== undefined) folders.add(folder);
        }
      }
    },
  };
}

/** Writes the notices of all recorded packages, and a bill of materials, into files in the page's folder. */
export function writeSiteNotices(): Plugin {
  return {
    name: 'tabserve:site-notices',
    apply: 'build',
    enforce: 'post',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        // The byte order mark marks the file as UTF-8, because servers send no encoding for text files.
        const packages = [...folders].map(noticeIn);
        writeFileSync(join(DIST_FOLDER, 'third-party-notices.txt'), `\uFEFF${noticesText('site', packages)}`);
        writeFileSync(join(DIST_FOLDER, BILL_OF_MATERIALS), billOfMaterials('site', packages));
      },
    },
  };
}
