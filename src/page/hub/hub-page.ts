import type { HubSite, HubSiteChanges } from '../../shared/hub/hub-site.ts';
import type { EngineConnection } from '../../shared/messaging/engine-connection.ts';
import { startOwn } from './hub-access.ts';
import { HubEngine } from './hub-engine.ts';
import { pageStrings } from './page-strings.ts';

// The page of a hub: which sites have asked, and what they may do. It has no library and loads no model. In a frame it
// shows none of that: the sites that may show the hub's frame may show this page, too, and could lay it below something
// else to click on.

/** Milliseconds between two readings of the list. */
const REFRESH_INTERVAL = 5000;

const main = document.querySelector('main')!;
const engine = new HubEngine(startOwn);
let connection: Promise<EngineConnection> | null = null;

document.documentElement.lang = pageStrings.language;
document.title = pageStrings.title;
element(main, 'h1', pageStrings.title);
element(main, 'p', pageStrings.explanation(location.host));
const state = element(main, 'p', '');
state.setAttribute('role', 'status');
const list = element(main, 'ul', '');
let shown = '';
/** Whether something in the list is being pressed. */
let isPressed = false;

/** Connects again if the engine has ended. */
function connect(): Promise<EngineConnection> {
  connection ??= engine.open().then(
    (opened) => {
      opened.ended.addEventListener('abort', () => (connection = null), { once: true });
      return opened;
    },
    (thrown: unknown) => {
      connection = null;
      throw thrown;
    },
  );
  return connection;
}

async function refresh(): Promise<void> {
  try {
    const sites = await engine.call(await connect(), 'hub/sites', null);
    state.textContent = sites.length === 0 ? pageStrings.none : '';
    const now = JSON.stringify(sites);
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    // A person who types into a field, or presses a button, must not lose it.
    if (now === shown || isPressed || focused instanceof HTMLInputElement) return;
    shown = now;
    list.replaceChildren();
    for (const site of sites) showSite(site);
    if (focused instanceof HTMLElement) buttonOf(focused.dataset['origin'])?.focus();
  } catch (thrown) {
    state.textContent = pageStrings.failed((thrown as Error).message);
  }
}

async function change(origin: string, changes: HubSiteChanges): Promise<void> {
  try {
    await engine.call(await connect(), 'hub/change-site', { origin, changes });
  } catch (thrown) {
    state.textContent = pageStrings.failed((thrown as Error).message);
  }
  await refresh();
}

function buttonOf(origin: string | undefined): HTMLButtonElement | undefined {
  return [...list.querySelectorAll('button')].find(({ dataset }) => dataset['origin'] === origin);
}

function showSite(site: HubSite): void {
  const { origin, isAllowed, requests, tokens, firstAsked, lastAsked } = site;
  const item = element(list, 'li', '');
  element(item, 'h2', origin);
  element(item, 'p', pageStrings.use(requests, tokens, time(firstAsked), time(lastAsked)));
  if (isAllowed) {
    const models = field(item, pageStrings.models, site.models?.join(', ') ?? '');
    models.addEventListener('change', () => {
      const ids = models.value.split(/[\s,]+/).filter((id) => id !== '');
      void change(origin, { models: ids.length === 0 ? null : ids });
    });
    const limit = field(item, pageStrings.limit, site.tokensPerMinute?.toString() ?? '');
    limit.inputMode = 'numeric';
    limit.addEventListener('change', () => {
      const tokensPerMinute = readCount(limit.value);
      // Shows again what holds.
      if (tokensPerMinute === undefined) limit.value = site.tokensPerMinute?.toString() ?? '';
      else void change(origin, { tokensPerMinute });
    });
  }
  const button = element(item, 'button', isAllowed ? pageStrings.revoke : pageStrings.allow);
  button.dataset['origin'] = origin;
  button.setAttribute('aria-label', `${button.textContent}: ${origin}`);
  button.addEventListener('click', () => void change(origin, { isAllowed: !isAllowed }));
}

/** Reads a number, with or without separators of thousands: null for an empty field, undefined for what is no number above 0. */
function readCount(written: string): number | null | undefined {
  const text = written.trim();
  if (text === '') return null;
  const isNumber = /^(?:\d+|\d{1,3}(?:[.,'’\s]\d{3})+)$/.test(text);
  return (isNumber && Number(text.replaceAll(/\D/g, ''))) || undefined;
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString(pageStrings.language);
}

function field(parent: Element, label: string, value: string): HTMLInputElement {
  const input = document.createElement('input');
  input.value = value;
  element(parent, 'label', `${label} `).append(input);
  return input;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  parent: Element,
  name: Name,
  text: string,
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  created.textContent = text;
  parent.append(created);
  return created;
}

if (window.parent === window) {
  list.addEventListener('pointerdown', () => (isPressed = true));
  // The click comes right after these events.
  for (const name of ['pointerup', 'pointercancel'])
    addEventListener(name, () => setTimeout(() => (isPressed = false)));
  void refresh();
  setInterval(() => void refresh(), REFRESH_INTERVAL);
} else {
  const link = element(main, 'a', pageStrings.framed);
  Object.assign(link, { href: location.href, target: '_blank', rel: 'noopener' });
}
