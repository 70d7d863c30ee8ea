import { unwatchedReport, type UnwatchedPage } from '../support/browsers/unwatched-browser.ts';

/** Opens a page that calls `sendReport`, and returns its report. @throws Error if the page has failed. */
export async function receiveReport<Report extends object>(page: UnwatchedPage): Promise<Report> {
  const report = (await unwatchedReport(page)) as Report | { readonly error: string };
  if ('error' in report) throw new Error(`${page.path}: ${report.error}`);
  return report;
}
