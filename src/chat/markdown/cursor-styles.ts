import { css, unsafeCSS } from 'lit';

/**
 * Selector of the element whose text grows: in the unfinished block or, if that is empty, in the last settled block.
 */
const GROWING = ':is(.open, .blocks:has(+ .open:empty) > :last-child) > :last-child';

/** Selectors of the element that ends with the last word, for lists up to two levels deep. */
const ENDS = [
  ...['p', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => `${GROWING}:is(${name})`),
  `${GROWING}:is(blockquote) > p:last-child`,
  `${GROWING}:is(figure) code`,
  ...['', ' > :is(ul, ol):last-child > li:last-child'].flatMap((deeper) => [
    `${GROWING}:is(ul, ol) > li:last-child${deeper}:not(:has(> :is(p, ul, ol)))`,
    `${GROWING}:is(ul, ol) > li:last-child${deeper} > p:last-child`,
  ]),
  '.plain:not(:empty)',
]
  .map((end) => `:host([growing]) ${end}::after`)
  .join(',');

export const cursorStyles = css`
  ${unsafeCSS(ENDS)} {
    content: '';
    display: inline-block;
    width: 0.5rem;
    height: 0.5rem;
    margin-inline-start: 0.3rem;
    border-radius: 50%;
    background: var(--color-spark);
    animation: grow 1.1s ease-in-out infinite alternate;
  }
  @keyframes grow {
    to {
      opacity: 0.35;
    }
  }
`;
