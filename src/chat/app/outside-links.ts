import { enforcesAllowlist, isUnreachable } from '../browser/document-policy.ts';
import { askAgreement } from '../common/ask-in-dialog.ts';
import { copyText } from '../common/copy-button.ts';
import { outsideLinkStrings } from '../strings/outside-link-strings.ts';

/**
 * Offers to copy the address of a clicked link if the browser refuses to open it from this page. Without this, Chromium
 * would open a tab with an error that does not name the reason.
 */
function checkLink(event: MouseEvent): void {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  if (link === undefined || event.button > 1 || event.defaultPrevented) return;
  if (!/^https?:$/.test(link.protocol) || link.origin === location.origin || !enforcesAllowlist()) return;
  event.preventDefault();
  void openOrCopy(link.href);
}

async function openOrCopy(address: string): Promise<void> {
  if (!(await isUnreachable(address))) return void window.open(address, '_blank', 'noopener,noreferrer');
  if (await askAgreement(outsideLinkStrings.question(address))) await copyText(address, () => {});
}

addEventListener('click', checkLink);
// A press of the middle button fires this event instead.
addEventListener('auxclick', checkLink);
