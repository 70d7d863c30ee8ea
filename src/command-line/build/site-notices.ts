import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { DIST_FOLDER } from '../project-folders.ts';
import { noticeIn, noticesText } from './third-party-notices.ts';

/** Folders of the packages of which something is in a script of the site. */
const folders = new Set<string>();

/**
 * Notes what is bundled. For each build that the site is made of: that of the page, those of its workers, and that of the
 * service worker; Vite's own `build.license` would have them write one file, of which the last one stays.
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

/** Writes the notices of all of them beside the page. */
export function writeSiteNotices(): Plugin {
  return {
    name: 'tabserve:site-notices',
    apply: 'build',
    enforce: 'post',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        // A server names no encoding for it, and browsers would take another one.
        const text = `\uFEFF${noticesText('site', [...folders].map(noticeIn))}`;
        writeFileSync(join(DIST_FOLDER, 'third-party-notices.txt'), text);
      },
    },
  };
}
