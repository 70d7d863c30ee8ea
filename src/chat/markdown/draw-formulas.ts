import type { formulaToMathMl } from './formula-to-mathml.ts';
import { markdownStrings } from '../strings/messages.ts';
import { withTimeout } from '../../shared/timeout.ts';

let convert: typeof formulaToMathMl | undefined;
let loading: Promise<void> | undefined;

// What is copied of a formula is its source, which stands beside it unseen: while the browser gathers what is selected,
// the drawn one does not count. At other times it can be selected like any text.
addEventListener('copy', () => {
  const { style } = document.documentElement;
  style.setProperty('--formula-selection', 'none');
  setTimeout(() => style.removeProperty('--formula-selection'));
});

/** Milliseconds that text waits for the converter before it goes on below a formula. */
const PATIENCE = 2000;

/** Formulas of a block with more than these stay as they were written: browsers take milliseconds to lay out each of them. */
const MAX_FORMULAS = 300;

/** Milliseconds of drawing after which the page gets a turn. */
const SLICE = 16;

/**
 * Draws the formulas below `root` as MathML; what does that is loaded for the first of them, and they stand as they were
 * written until then, for ever where it cannot be loaded or cannot read them.
 * @returns What is to be waited for before anything is put below them, which would be moved; undefined where they are drawn.
 */
export function drawFormulas(root: ParentNode): Promise<unknown> | undefined {
  const formulas = root.querySelectorAll<HTMLElement>('code.formula');
  if (formulas.length === 0 || formulas.length > MAX_FORMULAS) return undefined;
  if (convert === undefined) {
    const drawn = loadConverter().then(() => drawFrom(formulas, 0));
    return withTimeout(PATIENCE, drawn, undefined);
  }
  return drawFrom(formulas, 0);
}

/** @returns undefined when all are drawn; a promise when the rest is drawn later. */
function drawFrom(formulas: NodeListOf<HTMLElement>, first: number): Promise<unknown> | undefined {
  const end = performance.now() + SLICE;
  for (let index = first; index < formulas.length; index += 1) {
    if (performance.now() > end) {
      return new Promise((resolve) => setTimeout(() => resolve(drawFrom(formulas, index))));
    }
    draw(formulas[index]!);
  }
  return undefined;
}

async function loadConverter(): Promise<void> {
  loading ??= import('./formula-to-mathml.ts').then(({ formulaToMathMl }) => void (convert = formulaToMathMl));
  await loading.catch(() => (loading = undefined));
}

function draw(formula: HTMLElement): void {
  const source = formula.textContent;
  const isDisplay = formula.classList.contains('display');
  const math = convert?.(source, isDisplay) ?? null;
  if (math === null) return;
  const frame = document.createElement('span');
  frame.className = formula.className;
  // What is selected and copied is what was written.
  const text = document.createElement('span');
  text.className = 'source';
  text.setAttribute('aria-hidden', 'true');
  text.textContent = source;
  frame.append(text, math);
  if (isDisplay) {
    // A wide formula scrolls in itself, by keyboard too.
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', markdownStrings.formula);
  }
  formula.replaceWith(frame);
}
