import type { UnsupportedReason } from '../../page/index.ts';
import { localized } from './language.ts';

export type BrowserFamily = 'chromium' | 'firefox' | 'safari' | 'other';

interface Advice {
  readonly title: string;
  readonly steps: readonly string[];
}

/** Strings of the model's status line, and advice if the model cannot run. */
export const statusStrings = localized('statusStrings', {
  label: 'State of the model',
  /** The endpoint's progress message during a load. */
  loading: (message: string) => message,
  /** The endpoint's error message, and the page's explanation of its kind. */
  failed: (message: string, _explained: string) => message,
  retry: 'Try again',
  keepsNothing:
    'This browser keeps nothing for this site at the moment: downloaded models, keys you made, the request log and new chats. The window may be private, the disk full, or another tab of the site in the way.',
  updateReady: 'A new version of this page is ready.',
  update: 'Reload',
  updateLater: 'Later',
  stillUsable: 'Until then your chats can be read, searched, exported and deleted, and every setting stays in reach.',
});

/** Steps that enable WebGPU, by browser and system. */
export const noWebgpuAdvice = localized('noWebgpuAdvice', {
  chromium: {
    title: 'This browser does not offer WebGPU here',
    steps: [
      'Update the browser: this page needs Chrome or Edge 124 or newer, on Windows, macOS or Android.',
      'Switch on “Use graphics acceleration when available” in the browser’s system settings, then restart it.',
      'On Linux, open chrome://flags, enable “Unsafe WebGPU Support” and “Vulkan”, and restart the browser.',
      'No graphics card? Start the browser with --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader: slow, but enough for the built-in model.',
    ],
  },
  firefox: {
    title: 'Firefox does not offer WebGPU here',
    steps: [
      'On Windows, Firefox 141 or newer offers WebGPU; on macOS with Apple silicon, Firefox 145 or newer. Update Firefox.',
      'On other systems use Firefox Nightly, or Chrome or Edge.',
    ],
  },
  safari: {
    title: 'Safari does not offer WebGPU here',
    steps: [
      'Safari 26 offers WebGPU on macOS 26, iOS 26 and iPadOS 26. Update the system.',
      'On an older Mac use Chrome or Edge.',
    ],
  },
  other: {
    title: 'This browser does not offer WebGPU',
    steps: ['Open this page in a current Chrome, Edge, Safari 26 or, on Windows, Firefox 141 or newer.'],
  },
} satisfies Record<BrowserFamily, Advice>);

/** The endpoint's message, for causes that no browser setting can fix. */
export const unsupportedReasons = localized('unsupportedReasons', {
  'no-window': (message: string) => message,
  'insecure-context': (message: string) => message,
  'no-service-worker': (message: string) => message,
} satisfies Record<Exclude<UnsupportedReason, 'no-webgpu'>, (message: string) => string>);

export const unsupportedTitles = localized('unsupportedTitles', {
  'no-window': 'This script does not run in a page',
  'insecure-context': 'This page needs a secure address',
  'no-service-worker': 'This browser does not allow service workers here',
} satisfies Record<Exclude<UnsupportedReason, 'no-webgpu'>, string>);
