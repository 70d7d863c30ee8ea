import { expect, test, type Page } from '@playwright/test';
import { serveForeignSite } from '../../support/sites/foreign-site.ts';

/** The ways out that a Content-Security-Policy governs, and the directive that stops each. */
const GOVERNED: Readonly<Record<string, string>> = {
  'Request of the page': 'connect-src',
  Beacon: 'connect-src',
  WebSocket: 'connect-src',
  'Event stream': 'connect-src',
  WebTransport: 'connect-src',
  'Request of a worker': 'connect-src',
  'Script that a worker loads': 'script-src-elem',
  'Script that the page loads': 'script-src-elem',
  Picture: 'img-src',
  'Picture in a style': 'img-src',
  'Style sheet': 'style-src-elem',
  Font: 'font-src',
  'Embedded object': 'object-src',
  Prefetch: 'default-src',
  Frame: 'frame-src',
  'Navigation in a frame': 'frame-src',
  Form: 'form-action',
};

const UNSEEN = ['Early connection', 'Early lookup of a name', 'Navigation of this page', 'New window'];

const WEBRTC_OF_PAGE = ['WebRTC with a STUN server', 'WebRTC to an address'];

/** The page takes WebRTC from itself; of a frame that is reached by its number, only a Connection-Allowlist does. */
const WEBRTC_OF_FRAME = 'WebRTC of a new frame';

const WEBRTC = [...WEBRTC_OF_PAGE, WEBRTC_OF_FRAME];

/** Tries to leak on the Privacy screen of a site, and returns the rows of the table. */
async function tryToLeak(page: Page, site: string): Promise<readonly (readonly [string, string, string])[]> {
  await page.goto(`${site}#/privacy`);
  await page.getByRole('button', { name: 'Try to leak' }).click();
  const rows = page.locator('leak-table').getByRole('row');
  // The heading, and one row for each way.
  await expect(rows).toHaveCount(1 + Object.keys(GOVERNED).length + WEBRTC.length + UNSEEN.length);
  const texts = await rows.evaluateAll((rows) =>
    rows.slice(1).map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.textContent.trim())),
  );
  return texts as unknown as [string, string, string][];
}

const ways = (rows: readonly (readonly [string, string, string])[], result: string) =>
  rows.filter((row) => row[1] === result).map(([way]) => way);

test('with our headers, the browser reports for each governed way out which directive stopped it @core @firefox', async ({
  page,
  baseURL,
  browserName,
}) => {
  const opened: string[] = [];
  page.on('popup', (popup) => opened.push(popup.url()));
  const rows = await tryToLeak(page, baseURL!);
  const stopped = rows.filter(([, , basis]) => basis.includes('Content-Security-Policy stopped it'));
  expect(Object.fromEntries(stopped.map(([way, , basis]) => [way, /\((.+)\)/.exec(basis)![1]]))).toEqual(GOVERNED);
  expect(ways(rows, 'not there')).toEqual(WEBRTC_OF_PAGE);
  // Firefox has no Connection-Allowlist. Where Chromium enforces one, an attempt would end the process of the page.
  const hasAllowlist = browserName === 'chromium';
  expect(ways(rows, 'open')).toEqual(hasAllowlist ? [] : [WEBRTC_OF_FRAME]);
  expect(ways(rows, 'cannot be seen')).toEqual(hasAllowlist ? [WEBRTC_OF_FRAME, ...UNSEEN] : UNSEEN);
  const navigation = rows.find(([way]) => way === 'Navigation of this page')![2];
  expect(navigation).toContain(
    hasAllowlist ? '(response-origin "https://huggingface.co/*"' : 'no Connection-Allowlist is in force',
  );
  await expect(page.getByRole('status').filter({ hasText: 'Stopped: 17.' })).toBeVisible();
  // The attempts change nothing on the page, and do not count as requests that left it.
  expect(opened).toEqual([]);
  expect(new URL(page.url()).hash).toBe('#/privacy');
  expect(page.frames()).toHaveLength(1);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.locator('privacy-view')).not.toContainText('try-to-leak.invalid');
});

/** A worker is bound by the header of its own script, not by the policy that is written into the page. */
const OF_WORKERS = ['Request of a worker', 'Script that a worker loads'];

test('on a site without headers, the policy in the page stops what the page tries, but not what workers try @firefox', async ({
  page,
}) => {
  const site = await serveForeignSite('localhost', process.env['TEST_SITE_FOLDER']);
  try {
    const rows = await tryToLeak(page, `${site.origin}/`);
    expect(ways(rows, 'stopped')).toEqual(Object.keys(GOVERNED).filter((way) => !OF_WORKERS.includes(way)));
    expect(ways(rows, 'open')).toEqual([...OF_WORKERS, WEBRTC_OF_FRAME]);
    expect(ways(rows, 'not there')).toEqual(WEBRTC_OF_PAGE);
  } finally {
    site.close();
  }
});

/** Takes away the policy that is written into a page, and the script that takes WebRTC from it. */
const withoutRules = (html: string) =>
  html
    .replace(/<meta http-equiv="content-security-policy"[^>]*>/, '')
    .replace(/<script [^>]*no-webrtc[^>]*><\/script>/, '');

test('without headers, and without what the page itself forbids, no way out counts as stopped, although every request fails @firefox', async ({
  page,
}) => {
  const site = await serveForeignSite('localhost', process.env['TEST_SITE_FOLDER'], undefined, withoutRules);
  try {
    const rows = await tryToLeak(page, `${site.origin}/`);
    expect(ways(rows, 'stopped')).toEqual([]);
    expect(ways(rows, 'open')).toEqual([...Object.keys(GOVERNED), ...WEBRTC]);
  } finally {
    site.close();
  }
});
