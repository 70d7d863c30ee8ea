/** The machine and browser of a run, as far as the browser reports them. */
export interface Machine {
  readonly browser: string;
  /** Logical processors. */
  readonly processors: number;
  /** Gibibytes, rounded and capped by the browser; null if the browser does not report it. */
  readonly memoryGiB: number | null;
  /** Vendor, architecture and description of the GPU adapter; null without WebGPU. */
  readonly gpu: string | null;
  /** Whether the adapter computes with 16-bit floats, which wllama needs on the GPU. */
  readonly shaderF16: boolean;
  /** Whether the page is cross-origin isolated, without which WebAssembly has no threads. */
  readonly isolated: boolean;
}

/** Circumstances that may have disturbed a run. */
export interface Conditions {
  /** Whether the device was charging at the start and at the end; null if the browser does not report it. */
  readonly charging: readonly [boolean | null, boolean | null];
  /** Milliseconds for which the page was hidden. Browsers slow down hidden pages. */
  readonly hidden: number;
}

/** Chromium's interfaces that TypeScript does not declare. */
interface ChromiumNavigator {
  readonly deviceMemory?: number;
  readonly getBattery?: () => Promise<{ readonly charging: boolean }>;
  readonly userAgentData?: { readonly brands: readonly { readonly brand: string; readonly version: string }[] };
}

interface ChromiumPerformance {
  readonly measureUserAgentSpecificMemory?: () => Promise<{ readonly bytes: number }>;
}

/** Timeout in milliseconds. The browser measures memory at its next garbage collection. */
const MEMORY_TIMEOUT = 30_000;

export async function describeMachine(): Promise<Machine> {
  const { deviceMemory } = navigator as ChromiumNavigator;
  // The adapter that the engines request; a laptop may have two.
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  const { vendor, architecture, description } = adapter?.info ?? {};
  return {
    browser: browserName(),
    processors: navigator.hardwareConcurrency,
    memoryGiB: deviceMemory ?? null,
    gpu: adapter ? [vendor, architecture, description].filter(Boolean).join(' ') || 'unnamed' : null,
    shaderF16: adapter?.features.has('shader-f16') ?? false,
    isolated: crossOriginIsolated,
  };
}

function browserName(): string {
  const brands = (navigator as ChromiumNavigator).userAgentData?.brands ?? [];
  const [known] = brands.filter(({ brand }) => !/not.?a.?brand/i.test(brand));
  if (known) return `${known.brand} ${known.version}`;
  const [name] = /(Firefox|Version|Chrome)\/[\d.]+/.exec(navigator.userAgent) ?? [];
  return (name ?? navigator.userAgent).replace('Version/', 'Safari ').replace('/', ' ');
}

/** Whether the device is charging; null if the browser does not report it. */
export async function isCharging(): Promise<boolean | null> {
  const battery = await (navigator as ChromiumNavigator).getBattery?.().catch(() => null);
  return battery?.charging ?? null;
}

/**
 * Bytes of memory that this page and its workers use; null if the browser does not report them. Excludes GPU memory and
 * shared workers.
 */
export async function memoryInUse(): Promise<number | null> {
  const measure = (performance as ChromiumPerformance).measureUserAgentSpecificMemory;
  if (measure === undefined || !crossOriginIsolated) return null;
  const measured = measure.call(performance).then(({ bytes }) => bytes);
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), MEMORY_TIMEOUT));
  return Promise.race([measured.catch(() => null), late]);
}

/**
 * Measures for how long the page is hidden, until `signal` aborts.
 * @param onHidden Called each time the page is hidden.
 * @returns A function that returns the milliseconds so far.
 */
export function watchVisibility(signal: AbortSignal, onHidden: () => void): () => number {
  let hidden = 0;
  let since = document.hidden ? performance.now() : null;
  document.addEventListener(
    'visibilitychange',
    () => {
      if (since !== null) hidden += performance.now() - since;
      since = document.hidden ? performance.now() : null;
      if (document.hidden) onHidden();
    },
    { signal },
  );
  return () => hidden + (since === null ? 0 : performance.now() - since);
}
