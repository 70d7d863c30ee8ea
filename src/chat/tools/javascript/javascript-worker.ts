import { openSandbox } from './open-sandbox.ts';
import type { ProgramOutcome } from './program-outcome.ts';

/** Messages of this worker: first whether it is ready, then the outcome of its program. */
export type JavaScriptMessage =
  | { readonly type: 'ready' | 'failed' }
  | { readonly type: 'outcome'; readonly outcome: ProgramOutcome };

const tell = (message: JavaScriptMessage) => postMessage(message);

async function begin(): Promise<void> {
  try {
    const run = await openSandbox();
    addEventListener('message', ({ data }: MessageEvent<string>) => tell({ type: 'outcome', outcome: run(data) }));
    tell({ type: 'ready' });
  } catch (error) {
    console.error('The sandbox could not be opened.', error);
    tell({ type: 'failed' });
  }
}
void begin();
