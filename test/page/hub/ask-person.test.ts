import { afterEach, beforeEach, expect, test, vi } from 'vitest';

interface Shown {
  textContent: string;
  disabled: boolean;
  click(): void;
}

let elements: Record<string, Shown>;
/** Tells what the browser has found out about the visibility of elements. */
let observe: (entries: readonly { target: unknown; isVisible: boolean }[]) => void;
let now: number;

beforeEach(() => {
  now = 0;
  elements = {};
  vi.stubGlobal('navigator', { language: 'en' });
  vi.stubGlobal('location', { host: 'models.example.org' });
  vi.stubGlobal('performance', { now: () => now });
  vi.stubGlobal('document', {
    createElement(name: string) {
      let onClick: ((event: object) => void) | null = null;
      return (elements[name] = {
        textContent: '',
        disabled: false,
        addEventListener: (_: string, listener: (event: object) => void) => (onClick = listener),
        click: () => onClick?.({ isTrusted: true }),
        remove: () => {},
      } as Shown);
    },
    body: { replaceChildren: () => {}, append: () => {} },
  });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof observe) {
        observe = callback;
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['question and button are visible', { p: true, button: true }, 1000, true],
  ['the site has cut the question off', { p: false, button: true }, 1000, false],
  ['the site has covered the button', { p: true, button: false }, 1000, false],
  ['both have only just become visible', { p: true, button: true }, 500, false],
])('the button reacts if %s: %j, after %i ms: %s', async (_, visible, time, reacts) => {
  const { askPerson } = await import('../../../src/page/hub/ask-person.ts');
  const allow = vi.fn<() => Promise<null>>(async () => null);
  askPerson('https://site.test', allow);
  for (const [name, isVisible] of Object.entries(visible)) observe([{ target: elements[name], isVisible }]);
  now = time;
  elements['button']!.click();
  expect(allow).toHaveBeenCalledTimes(reacts ? 1 : 0);
});

test('a second click, while the engine starts, asks for nothing more', async () => {
  const { askPerson } = await import('../../../src/page/hub/ask-person.ts');
  const allow = vi.fn<() => Promise<null>>(() => new Promise(() => {}));
  askPerson('https://site.test', allow);
  observe(['p', 'button'].map((name) => ({ target: elements[name], isVisible: true })));
  now = 1000;
  elements['button']!.click();
  elements['button']!.click();
  expect([allow.mock.calls.length, elements['button']!.disabled]).toEqual([1, true]);
});
