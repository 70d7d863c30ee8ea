import { css, html, LitElement } from 'lit';
import type { BlockSplitter } from './block-splitter.ts';
import { formulaStyles } from './formula-styles.ts';
import { whenIdle } from './idle-queue.ts';
import { cursorStyles } from './cursor-styles.ts';
import type { HeadingLevels } from './heading-levels.ts';
import { markdownStyles } from './markdown-styles.ts';
import { tableStyles } from './table-styles.ts';

const loadRenderer = () => import('./renderer.ts');
type Renderer = Awaited<ReturnType<typeof loadRenderer>>;
let renderer: Renderer | undefined;
let loading: Promise<void> | undefined;

/** Milliseconds of drawing after which the page gets a turn. */
const LONGEST_DRAWING = 16;

/** Resolves once the renderer is there, or has not come: then every text stays plain. */
function rendererTried(): Promise<void> {
  return (loading ??= loadRenderer().then(
    (loaded) => void (renderer = loaded),
    (error: unknown) => console.error('Answers are shown as plain text.', error),
  ));
}

/**
 * Markdown as it grows. Settled blocks are drawn once; only the last, unfinished one is drawn anew, at most
 * once a frame and less often when it has become large. Until the renderer is there the text stands plain.
 *
 * @fires block - a block is complete; `detail` is its text, for those who listen instead of reading.
 * @fires drawn - all of the text is drawn, and it grows no more.
 */
export class MarkdownText extends LitElement {
  static override properties = { text: { attribute: false }, growing: { type: Boolean } };
  declare text: string;
  declare growing: boolean;
  #splitter: BlockSplitter | undefined;
  #levels: HeadingLevels | undefined;
  #drawn = 0;
  /** Whether it was seen while it grew. */
  #hasGrown = false;
  #restAt = 0;
  #queued = false;
  /** Whether more blocks follow after a pause: for a formula, or because drawing took long. */
  #isPartial = false;
  /** Those who wait until what is queued has been drawn. */
  #waiting: (() => void)[] = [];

  constructor() {
    super();
    this.text = '';
    this.growing = false;
  }

  static override styles = [
    css`
      :host {
        display: block;
        overflow-wrap: anywhere;
      }
    `,
    markdownStyles,
    tableStyles,
    cursorStyles,
    formulaStyles,
  ];

  override render() {
    return html`<div class="plain" dir="auto"></div>
      <div class="blocks"></div>
      <div class="open"></div>`;
  }

  /** An update is complete when its text is drawn, or cannot be. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    if (this.#queued) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return isComplete;
  }

  override updated(): void {
    this.#hasGrown ||= this.growing;
    if (renderer === undefined) this.#part('plain').textContent = this.text;
    if (this.#queued) return;
    this.#queued = true;
    if (renderer === undefined) void rendererTried().then(() => this.#schedule());
    else this.#schedule();
  }

  #schedule(): void {
    const draw = (): void => {
      const { text, growing } = this;
      const late = renderer === undefined ? undefined : this.#draw(renderer);
      if (renderer === undefined && !growing) this.dispatchEvent(new CustomEvent('drawn'));
      if (late === undefined) this.#settle();
      else void this.#settleAfter(late, text, growing);
    };
    // The end of one that has grown is drawn with the first frame after it: what then comes below it would be moved later.
    if (!this.#hasGrown) whenIdle(draw);
    else if (this.growing && performance.now() < this.#restAt)
      setTimeout(() => requestAnimationFrame(draw), this.#restAt - performance.now());
    else requestAnimationFrame(draw);
  }

  /** @param text What has been drawn, and `growing` whether it grew then: what has come meanwhile is drawn next. */
  async #settleAfter(late: Promise<unknown>, text: string, growing: boolean): Promise<void> {
    await late;
    this.#settle();
    if (this.#isPartial || text !== this.text || growing !== this.growing) this.requestUpdate();
  }

  #settle(): void {
    this.#queued = false;
    for (const tell of this.#waiting.splice(0)) tell();
  }

  /** @returns What is to be waited for before more is drawn; undefined for nothing. */
  #draw({
    BlockSplitter,
    HeadingLevels,
    renderBlock,
    highlightCode,
    drawFormulas,
  }: Renderer): Promise<unknown> | undefined {
    const start = performance.now();
    let splitter = this.#splitter;
    if (splitter === undefined || !splitter.update(this.text)) {
      splitter = this.#splitter = new BlockSplitter();
      splitter.update(this.text);
      this.#levels = undefined;
      this.#drawn = 0;
      this.#part('blocks').replaceChildren();
    }
    if (!this.growing) splitter.finish();
    const levels = (this.#levels ??= new HeadingLevels());
    for (; this.#drawn < splitter.settled.length; this.#drawn += 1) {
      const block = document.createElement('div');
      block.append(renderBlock(splitter.settled[this.#drawn] ?? '', splitter.links, levels));
      if (block.childNodes.length === 0) continue;
      this.#part('blocks').append(block);
      highlightCode(block);
      this.dispatchEvent(new CustomEvent('block', { detail: block.textContent.trim() }));
      // After the event, because a formula is read aloud as it is written.
      const late = drawFormulas(block) ?? pauseAfter(start);
      if (late === undefined) continue;
      this.#drawn += 1;
      this.#isPartial = true;
      this.#part('plain').replaceChildren();
      this.#part('open').replaceChildren();
      return late;
    }
    this.#isPartial = false;
    // Another element each time: one that moves down as blocks come above it would count as a shift of the layout.
    const open = Object.assign(document.createElement('div'), { className: 'open' });
    open.append(renderBlock(splitter.open, splitter.links, levels.copy()));
    const late = drawFormulas(open);
    this.#part('open').replaceWith(open);
    this.#part('plain').replaceChildren();
    if (!this.growing) this.dispatchEvent(new CustomEvent('drawn'));
    // A block so large that it takes long is drawn in a fifth of the time at most.
    const took = performance.now() - start;
    this.#restAt = performance.now() + 4 * Math.max(took - 4, 0);
    return late;
  }

  #part(name: 'plain' | 'blocks' | 'open'): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>(`.${name}`)!;
  }
}
customElements.define('markdown-text', MarkdownText);

/** A turn for the page, if the drawing that began at `start` has kept it busy for long. */
function pauseAfter(start: number): Promise<void> | undefined {
  if (performance.now() - start < LONGEST_DRAWING) return undefined;
  return new Promise((resolve) => setTimeout(resolve));
}

declare global {
  interface HTMLElementTagNameMap {
    'markdown-text': MarkdownText;
  }
}
