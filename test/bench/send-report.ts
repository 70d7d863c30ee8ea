/** Posts the page's results to the address in its parameter `report`, as no debugger is attached. */
export async function sendReport<Report>(measure: () => Promise<Report | { error: string }>): Promise<void> {
  const report = await measure().catch((error: unknown) => ({ error: String(error) }));
  await post(reportAddress(), JSON.stringify(report));
}

/** Posts what the page has measured so far, as JSON. */
export async function sendPartialReport(report: string): Promise<void> {
  await post(new URL('/partial', reportAddress()).href, report);
}

function reportAddress(): string {
  return new URLSearchParams(location.search).get('report')!;
}

async function post(address: string, body: string): Promise<void> {
  await fetch(address, { method: 'POST', mode: 'no-cors', body });
}
