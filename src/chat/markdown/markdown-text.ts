import { css, html, LitElement } from 'lit';
import type { BlockSplitter } from './block-splitter.ts';
import { formulaStyles } from './formula-styles.ts';
import { whenIdle } from './when-idle.ts';
import { cursorStyles } from './cursor-styles.ts';
import type { HeadingLevels } from './heading-levels.ts';
import type { CitedSource } from './link-citations.ts';
import { markdownStyles } from './markdown-styles.ts';
import { tableStyles } from './table-styles.ts';

const NO_SOURCES: readonly CitedSource[] = [];

const loadRenderer = () => import('./renderer.ts');
type Renderer = Awaited<ReturnType<typeof loadRenderer>>;
let renderer: Renderer | undefined;
let loading: Promise<void> | undefined;

/** Milliseconds of drawing after which the element yields to the main thread. */
const MAX_DRAWING_TIME = 16;

/** Resolves after the renderer has loaded, or has failed to load. Without it all text stays plain. */
function rendererTried(): Promise<void> {
  return (loading ??= loadRenderer().then(
    (loaded) => void (renderer = loaded),
    (error: unknown) => console.error('Answers are shown as plain text.', error),
  ));
}

/**
 * Renders Markdown that may still grow. Finished blocks are rendered once. The unfinished block is rendered again as it
 * grows: at most once per frame, and less often if it is large. The text is plain until the renderer has loaded.
 * @fires block - a block is complete; `detail` is its text, for screen readers.
 * @fires citation - a mark was clicked; see `link-citations.ts`, whose code is loaded later.
 * @fires drawn - the whole text is rendered and no longer grows.
 */
export class MarkdownText extends LitElement {
  static override properties = {
    text: { attribute: false },
    growing: { type: Boolean },
    sources: { attribute: false },
  };
  declare text: string;
  declare growing: boolean;
  /** What the text cites by marks such as `[1]`. Default: marks are text. */
  declare sources: readonly CitedSource[];
  #splitter: BlockSplitter | undefined;
  #levels: HeadingLevels | undefined;
  #drawn = 0;
  /** The blocks that are drawn, each with the levels of the headings before it. */
  #blocks: { readonly element: HTMLElement; readonly levels: HeadingLevels }[] = [];
  #hasGrown = false;
  #restAt = 0;
  #queued = false;
  /** True while drawing pauses between two blocks, to wait for a formula or to yield to the main thread. */
  #isPartial = false;
  #waiting: (() => void)[] = [];

  constructor() {
    super();
    this.text = '';
    this.growing = false;
    this.sources = NO_SOURCES;
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

  /** An update is complete once its text is rendered or the renderer has failed. */
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

  /** Draws a text that still waits to be drawn, without pauses. Formulas are drawn if their converter has loaded. */
  drawNow(): void {
    if (!this.#queued || renderer === undefined) return;
    do void this.#draw(renderer, false);
    while (this.#isPartial);
  }

  #schedule(): void {
    const draw = (): void => {
      const { text, growing } = this;
      const late = renderer === undefined ? undefined : this.#draw(renderer);
      if (renderer === undefined && !growing) this.dispatchEvent(new CustomEvent('drawn'));
      if (late === undefined) this.#settle();
      else void this.#settleAfter(late, text, growing);
    };
    // If the text has grown, its end is drawn in the next frame, because drawing it later would shift the content
    // below.
    if (!this.#hasGrown) whenIdle(draw);
    else if (this.growing && performance.now() < this.#restAt)
      setTimeout(() => requestAnimationFrame(draw), this.#restAt - performance.now());
    else requestAnimationFrame(draw);
  }

  /**
   * Waits for `late`. Then draws again if blocks remain, or if the text or `growing` has changed.
   * @param text The text just drawn.
   * @param growing Whether that text was still growing.
   */
  async #settleAfter(late: Promise<unknown>, text: string, growing: boolean): Promise<void> {
    await late;
    this.#queued = false;
    if (this.#isPartial || text !== this.text || growing !== this.growing) this.requestUpdate();
    // Pauses between two slices do not count as complete: code that waits for the update would show the message too
    // early, and the rest would make it jump.
    if (!this.#isPartial) this.#settle();
  }

  #settle(): void {
    this.#queued = false;
    for (const tell of this.#waiting.splice(0)) tell();
  }

  /**
   * Renders the text, or those of its blocks that can be drawn before the next pause.
   * @param inSlices Whether to pause. Default: unless the text has grown.
   * @returns A promise to await before the next call; undefined if no pause is needed.
   */
  #draw(
    {
      BlockSplitter,
      HeadingLevels,
      completeHalfWrittenTable,
      renderBlock,
      highlightCode,
      drawFormulas,
      linkCitations,
    }: Renderer,
    // Growing text is drawn without pauses, because each pause would shift the content below.
    inSlices = !this.#hasGrown,
  ): Promise<unknown> | undefined {
    const start = performance.now();
    let splitter = this.#splitter;
    if (splitter === undefined || !splitter.update(this.text)) {
      splitter = this.#splitter = new BlockSplitter();
      splitter.update(this.text);
      this.#levels = undefined;
      this.#drawn = 0;
      this.#blocks = [];
      this.#part('blocks').replaceChildren();
    }
    if (!this.growing) splitter.finish();
    const levels = (this.#levels ??= new HeadingLevels());
    for (const place of splitter.takeLate()) {
      const block = this.#blocks[place];
      if (block === undefined) continue;
      const { element } = block;
      // The definition is being seen, and stays: these links do not count as being before it.
      const definitions = { ...splitter.definitions, used: new Set<string>() };
      element.replaceChildren(renderBlock(splitter.settled[place] ?? '', definitions, block.levels.copy(), true));
      linkCitations(element, this.sources);
      highlightCode(element);
      void drawFormulas(element, false);
    }
    for (; this.#drawn < splitter.settled.length; this.#drawn += 1) {
      const block = document.createElement('div');
      this.#blocks.push({ element: block, levels: levels.copy() });
      block.append(renderBlock(splitter.settled[this.#drawn] ?? '', splitter.definitions, levels, true));
      if (block.childNodes.length === 0) continue;
      linkCitations(block, this.sources);
      this.#part('blocks').append(block);
      highlightCode(block);
      this.dispatchEvent(new CustomEvent('block', { detail: block.textContent.trim() }));
      // Formulas are drawn after the event, so that screen readers get their source.
      const late = drawFormulas(block, inSlices) ?? (inSlices ? pauseAfter(start) : undefined);
      if (late === undefined) continue;
      this.#drawn += 1;
      this.#isPartial = true;
      this.#part('plain').replaceChildren();
      this.#part('open').replaceChildren();
      return late;
    }
    this.#isPartial = false;
    // The unfinished block gets a new element: moving the old one down would count as a layout shift.
    const open = Object.assign(document.createElement('div'), { className: 'open' });
    open.append(renderBlock(completeHalfWrittenTable(splitter.open), splitter.definitions, levels.copy(), false));
    linkCitations(open, this.sources);
    const late = drawFormulas(open, inSlices);
    this.#part('open').replaceWith(open);
    this.#part('plain').replaceChildren();
    if (!this.growing) this.dispatchEvent(new CustomEvent('drawn'));
    // Waits four times as long as drawing took, so that drawing a large block takes at most a fifth of the time.
    const took = performance.now() - start;
    this.#restAt = performance.now() + 4 * Math.max(took - 4, 0);
    return late;
  }

  #part(name: 'plain' | 'blocks' | 'open'): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>(`.${name}`)!;
  }
}
customElements.define('markdown-text', MarkdownText);

/** Yields to the main thread if drawing has taken long since `start`; otherwise returns undefined. */
function pauseAfter(start: number): Promise<void> | undefined {
  if (performance.now() - start < MAX_DRAWING_TIME) return undefined;
  return new Promise((resolve) => setTimeout(resolve));
}

declare global {
  interface HTMLElementTagNameMap {
    'markdown-text': MarkdownText;
  }
}
