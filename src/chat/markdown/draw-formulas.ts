import type { formulaToMathMl } from './formula-to-mathml.ts';
import { markdownStrings } from '../strings/message-strings.ts';
import { withTimeout } from '../../shared/timeout.ts';

let convert: typeof formulaToMathMl | undefined;
let loading: Promise<void> | undefined;

// During a copy event, MathML cannot be selected, so that the hidden source of a formula is copied instead.
addEventListener('copy', () => {
  const { style } = document.documentElement;
  style.setProperty('--formula-selection', 'none');
  setTimeout(() => style.removeProperty('--formula-selection'));
});

/** Maximum milliseconds for which the text below a formula waits until the converter has loaded. */
const PATIENCE = 2000;

/** A block with more formulas shows their source, because browsers need milliseconds to lay out each formula. */
const MAX_FORMULAS = 300;

/** Milliseconds of drawing before yielding to the main thread. */
const SLICE = 16;

/**
 * Renders the formulas below `root` as MathML. The first one loads the converter. Until then, or if loading or
 * converting fails, formulas show their source.
 * @param inSlices True yields to the main thread after each {@link SLICE}; false renders all formulas in one task.
 * @returns A promise to await before adding content below, which the formulas would shift; undefined if all are
 * rendered.
 */
export function drawFormulas(root: ParentNode, inSlices: boolean): Promise<unknown> | undefined {
  const formulas = root.querySelectorAll<HTMLElement>('code.formula');
  if (formulas.length === 0 || formulas.length > MAX_FORMULAS) return undefined;
  if (convert === undefined) {
    const drawn = loadConverter().then(() => drawFrom(formulas, 0, inSlices));
    return withTimeout(PATIENCE, drawn, undefined);
  }
  return drawFrom(formulas, 0, inSlices);
}

/**
 * Renders the formulas from index `first` on.
 * @returns undefined if all are rendered; otherwise a promise for the rest.
 */
function drawFrom(formulas: NodeListOf<HTMLElement>, first: number, inSlices: boolean): Promise<unknown> | undefined {
  const end = performance.now() + SLICE;
  for (let index = first; index < formulas.length; index += 1) {
    if (inSlices && performance.now() > end) {
      return new Promise((resolve) => setTimeout(() => resolve(drawFrom(formulas, index, inSlices))));
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
  const text = document.createElement('span');
  text.className = 'source';
  text.setAttribute('aria-hidden', 'true');
  text.textContent = source;
  frame.append(text, math);
  if (isDisplay) {
    // Focusable, because a wide formula scrolls.
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', markdownStrings.formula);
  }
  formula.replaceWith(frame);
}
