import type { BenchReport } from '../../../src/bench/bench-report.ts';
import { sendPartialReport, sendReport } from '../send-report.ts';

/** Waits until the page has measured, and sends its figures to the bench. */
await sendReport(async (): Promise<BenchReport> => {
  const output = document.querySelector<HTMLElement>('#bench-json')!;
  const ended = () => ['done', 'stopped', 'failed'].includes(output.dataset['state'] ?? '');
  let sent = '';
  while (!ended()) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const text = output.textContent;
    // The next report contains one that was lost.
    if (text !== '' && text !== sent) await sendPartialReport((sent = text)).catch(() => {});
  }
  if (output.dataset['state'] !== 'done') throw new Error(output.dataset['reason'] ?? 'The run was stopped.');
  return JSON.parse(output.textContent) as BenchReport;
});
