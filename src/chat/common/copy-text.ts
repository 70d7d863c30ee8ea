/** Milliseconds for which the outcome of copying is shown. */
const SHOWN = 1500;

export type CopyOutcome = 'copied' | 'failed';

/** Copies a text. `show` is told how that went, and with null that it has been shown for long enough. Never rejects. */
export async function copyText(text: string, show: (outcome: CopyOutcome | null) => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    show('copied');
  } catch (thrown) {
    console.error(thrown);
    show('failed');
  }
  setTimeout(() => show(null), SHOWN);
}
