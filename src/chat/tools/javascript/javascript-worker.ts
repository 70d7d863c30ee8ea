import { openSandbox } from './open-sandbox.ts';
import type { ProgramOutcome } from './program-outcome.ts';

/** What this worker says: that it can begin, or cannot; then, of the program that it is sent, what came of it. */
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
