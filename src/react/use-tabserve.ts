import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { register, type PageStatus, type RegisterOptions, type Tabserve } from '../page/index.ts';

export interface TabserveState {
  /** Null until the component is mounted, and in server-side rendering. */
  readonly tabserve: Tabserve | null;
  readonly status: PageStatus;
  /** Progress of loading a model, 0…1; null while no model is being loaded. */
  readonly progress: number | null;
  /** True if the endpoint has started and no model is being loaded. */
  readonly ready: boolean;
}

const STARTING: PageStatus = { state: 'starting', message: 'Starting …' };

/**
 * Starts the endpoint when the first component that uses it is mounted, and re-renders when its status changes. All
 * components share the page's one endpoint, which keeps running when they unmount.
 * @param options Options of `register()`. Only those of the first render are used. Default: none.
 */
export function useTabserve(options: RegisterOptions = {}): TabserveState {
  const [tabserve, setTabserve] = useState<Tabserve | null>(null);
  useEffect(() => setTabserve(register(options)), []);
  const subscribe = useCallback(
    (onChange: () => void) => {
      tabserve?.addEventListener('statuschange', onChange);
      return () => tabserve?.removeEventListener('statuschange', onChange);
    },
    [tabserve],
  );
  const readStatus = () => tabserve?.status ?? STARTING;
  const status = useSyncExternalStore(subscribe, readStatus, () => STARTING);
  const progress = status.state === 'loading' ? status.progress : null;
  return { tabserve, status, progress, ready: status.state === 'idle' || status.state === 'ready' };
}
