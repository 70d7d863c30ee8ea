// All modules that render Markdown. Imported together, so that they form one lazily loaded script.
export { BlockSplitter } from './block-splitter.ts';
export { drawFormulas } from './draw-formulas.ts';
export { completeHalfWrittenTable } from './half-written-table.ts';
export { HeadingLevels } from './heading-levels.ts';
export { highlightCode } from './highlight-code.ts';
export { linkCitations } from './link-citations.ts';
export { plainText } from './plain-text.ts';
export { renderBlock } from './render-block.ts';
