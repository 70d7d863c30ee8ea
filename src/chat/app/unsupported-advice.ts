import type { UnsupportedReason } from '../../page/index.ts';
import { unsupportedTitles, webgpuCauses, webgpuSteps, webgpuTitles } from '../strings/unsupported-strings.ts';

/** The facts about the browser that a page can detect. */
interface BrowserFacts {
  readonly userAgent: string;
  /** Whether `navigator.gpu` exists. If it does, the browser supports WebGPU but found no usable GPU. */
  readonly hasApi: boolean;
}

interface Advice {
  readonly title: string;
  /** What is missing; null if the title already says it. */
  readonly cause: string | null;
  readonly steps: readonly string[];
}

/**
 * Returns the advice for a user whose browser cannot run a model: what is missing, and the steps to take. Steps that
 * cannot help in this browser, judged by its version and system, are left out. A reason that is explained in one
 * sentence has no steps.
 */
export function unsupportedAdvice(reason: UnsupportedReason, browser: BrowserFacts): Advice {
  if (reason !== 'no-webgpu') return { title: unsupportedTitles[reason], cause: null, steps: [] };
  const { userAgent, hasApi } = browser;
  const family = browserFamily(userAgent);
  return {
    title: webgpuTitles[family],
    cause: hasApi ? webgpuCauses.noDevice : webgpuCauses.noApi,
    steps: STEPS[family](userAgent),
  };
}

const STEPS = {
  chromium(userAgent: string): readonly string[] {
    const { chromium } = webgpuSteps;
    if (versionOf(userAgent, /Chrom(?:e|ium)\/(\d+)/) < 124) return [chromium.update];
    const isLinux = /Linux/.test(userAgent) && !/Android/.test(userAgent);
    return [chromium.accelerate, ...(isLinux ? [chromium.linux] : []), chromium.software];
  },
  firefox(userAgent: string): readonly string[] {
    const { firefox } = webgpuSteps;
    const version = versionOf(userAgent, /Firefox\/(\d+)/);
    if (/Android|Linux/.test(userAgent)) return [firefox.flag, firefox.other];
    const isOld = version < (/Windows/.test(userAgent) ? 141 : 145);
    return isOld ? [firefox.update] : [firefox.driver, firefox.flag];
  },
  safari(userAgent: string): readonly string[] {
    const { safari } = webgpuSteps;
    return versionOf(userAgent, /Version\/(\d+)/) < 26 ? [safari.update, safari.other] : [safari.flag, safari.other];
  },
  other: (): readonly string[] => [webgpuSteps.other],
};

/** Returns a version number in the user agent; 0 if there is none. */
function versionOf(userAgent: string, pattern: RegExp): number {
  return Number(pattern.exec(userAgent)?.[1] ?? 0);
}

/** Returns the browser family of a user agent. It only decides which advice is shown; features are always detected. */
function browserFamily(userAgent: string): keyof typeof STEPS {
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'chromium';
  // Every browser on iOS uses Safari's engine.
  if (/Safari\/|iPhone|iPad/.test(userAgent)) return 'safari';
  return 'other';
}
