import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { register, type PageStatus, type RegisterOptions, type Tabserve } from '../page/index.ts';

/** What {@link useTabserve} gives to a component. */
export interface TabserveState {
  /** Null until the component has been mounted, so also where a server renders it. */
  readonly tabserve: Tabserve | null;
  readonly status: PageStatus;
  /** Share 0…1 of a model that is being loaded; null while none is. */
  readonly progress: number | null;
  /** Whether a request made now is answered without waiting for the endpoint or for a model that is being loaded. */
  readonly ready: boolean;
}

const STARTING: PageStatus = { state: 'starting', message: 'Starting …' };

/**
 * Brings up the endpoint with the first component that uses it, and renders again as its status changes. A page has one
 * endpoint: every component gets the same, and it stays when they are gone.
 * @param options As for `register()`; those of the first rendering count. Default: none.
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
