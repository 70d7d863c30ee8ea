/** What the page sends to this worker: the hosts of its attempts. */
export interface WorkerHosts {
  readonly fetch: string;
  readonly import: string;
}

/** What this worker reports: an address that its policy stopped, or that both attempts have ended. */
export type LeakWorkerMessage =
  | { readonly type: 'violation'; readonly address: string; readonly directive: string }
  | { readonly type: 'ended'; readonly timed: readonly string[] };

const tell = (message: LeakWorkerMessage) => postMessage(message);

addEventListener('securitypolicyviolation', (event) => {
  const { blockedURI, effectiveDirective, disposition } = event as SecurityPolicyViolationEvent;
  if (disposition === 'enforce') tell({ type: 'violation', address: blockedURI, directive: effectiveDirective });
});

addEventListener('message', ({ data }: MessageEvent<WorkerHosts>) => {
  const attempts = [
    fetch(`https://${data.fetch}/`, { mode: 'no-cors' }),
    import(/* @vite-ignore */ `https://${data.import}/script.js`),
  ];
  void Promise.allSettled(attempts).then(() =>
    tell({ type: 'ended', timed: performance.getEntriesByType('resource').map(({ name }) => name) }),
  );
});
