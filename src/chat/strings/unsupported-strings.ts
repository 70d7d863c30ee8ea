import type { UnsupportedReason } from '../../page/index.ts';
import { localized } from './page-language.ts';

/** Strings of the notice in a browser that cannot run a model. */
export const unsupportedStrings = localized('unsupportedStrings', {
  stillUsable: 'Until then your chats can be read, searched, exported and deleted, and every setting stays in reach.',
});

export const webgpuTitles = localized('webgpuTitles', {
  chromium: 'This browser does not offer WebGPU here',
  firefox: 'Firefox does not offer WebGPU here',
  safari: 'Safari does not offer WebGPU here',
  other: 'This browser does not offer WebGPU',
});

export const webgpuCauses = localized('webgpuCauses', {
  noApi: 'WebGPU is missing in it, or switched off. Models run with it on the graphics processor.',
  noDevice: 'It has WebGPU, but no graphics processor for it on this system.',
});

/** Steps that enable WebGPU, by browser. */
export const webgpuSteps = localized('webgpuSteps', {
  chromium: {
    update: 'Update the browser: this page needs Chrome or Edge 124 or newer, on Windows, macOS or Android.',
    accelerate:
      'Switch on “Use graphics acceleration when available” in the browser’s system settings, then restart it.',
    linux: 'On Linux, open chrome://flags, enable “Unsafe WebGPU Support” and “Vulkan”, and restart the browser.',
    software:
      'No graphics processor? Start the browser with --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader: slow, but enough for the built-in model.',
  },
  firefox: {
    update: 'Update Firefox: on Windows it offers WebGPU from version 141 on, on macOS with Apple silicon from 145 on.',
    driver: 'Update the graphics driver, and restart Firefox.',
    flag: 'Open about:config, set dom.webgpu.enabled to true, and restart Firefox.',
    other: 'Or use Chrome or Edge.',
  },
  safari: {
    update: 'Safari 26 offers WebGPU on macOS 26, iOS 26 and iPadOS 26. Update the system.',
    flag: 'Switch on WebGPU among the feature flags in Safari’s advanced settings.',
    other: 'On a Mac you can use Chrome or Edge.',
  },
  other: 'Open this page in a current Chrome, Edge, Safari 26 or, on Windows, Firefox 141 or newer.',
});

/** For causes that no browser setting can remove: the endpoint's message. */
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
