import type { HubRefusal } from '../hub-messages.ts';
import { hubStrings } from './hub-strings.ts';

/** Milliseconds for which question and button must have been visible, so that no site moves it below a click. */
const VISIBLE_TIME = 800;

interface VisibilityEntry extends IntersectionObserverEntry {
  /** Whether nothing covers or changes the element, as far as the browser knows. */
  readonly isVisible?: boolean;
}

/**
 * Shows a question and a button with which the person allows the site. The button reacts only if the browser says that
 * both have been wholly visible for a while: a hostile site could hide this frame below something else to click on, or cut
 * the question off. Browsers that cannot say so have no
 * access to the hub's storage in foreign sites either.
 * @param allow Resolves to null if the site is connected.
 */
export function askPerson(origin: string, allow: () => Promise<HubRefusal | null>): void {
  const text = document.createElement('p');
  text.role = 'status';
  text.textContent = hubStrings.question(origin, location.host);
  const button = document.createElement('button');
  button.textContent = hubStrings.allow;
  button.disabled = true;
  document.body.replaceChildren(text, button);
  const visible = new Set<Element>();
  let visibleSince = Number.POSITIVE_INFINITY;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isVisible = false } of entries as VisibilityEntry[])
        if (isVisible) visible.add(target);
        else visible.delete(target);
      const areVisible = visible.size === 2;
      visibleSince = areVisible ? Math.min(visibleSince, performance.now()) : Number.POSITIVE_INFINITY;
      button.disabled = !areVisible;
    },
    { threshold: [1], trackVisibility: true, delay: 100 } as IntersectionObserverInit,
  );
  observer.observe(text);
  observer.observe(button);
  button.addEventListener('click', (event) => {
    if (!event.isTrusted || performance.now() - visibleSince < VISIBLE_TIME) return;
    // The engine may take seconds to start. A second click would connect the site once more, and end the first connection.
    observer.disconnect();
    visibleSince = Number.POSITIVE_INFINITY;
    button.disabled = true;
    void (async () => {
      const refusal = await allow();
      text.textContent = refusal === null ? hubStrings.allowed : hubStrings.refused[refusal];
      button.remove();
      if (refusal === 'no-access') document.body.append(linkToHub());
    })();
  });
}

/** The browser lets the person allow only sites that they have used: the hub must have been visited. */
function linkToHub(): HTMLAnchorElement {
  const link = document.createElement('a');
  Object.assign(link, { href: './', target: '_blank', rel: 'noopener', textContent: hubStrings.visit });
  return link;
}
