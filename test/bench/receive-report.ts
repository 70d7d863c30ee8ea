import { reportWithoutDebugger, type PageWithoutDebugger } from '../support/browsers/browser-without-debugger.ts';

/** Opens a page that calls `sendReport`, and returns its report. @throws Error if the page has failed. */
export async function receiveReport<Report extends object>(page: PageWithoutDebugger): Promise<Report> {
  const report = (await reportWithoutDebugger(page)) as Report | { readonly error: string };
  if ('error' in report) throw new Error(`${page.path}: ${report.error}`);
  return report;
}
