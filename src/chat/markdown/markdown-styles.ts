import { css } from 'lit';

export const markdownStyles = css`
  .blocks {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.8rem;
  }
  .blocks:not(:empty) + .open:not(:empty) {
    margin-top: 0.8rem;
  }
  .plain {
    white-space: pre-wrap;
  }
  p,
  ul,
  ol,
  dl,
  dd,
  blockquote,
  figure,
  h2,
  h3,
  h4,
  h5,
  h6,
  hr {
    margin: 0;
  }
  .open > * + * {
    margin-top: 0.8rem;
  }
  h2,
  h3,
  h4,
  h5,
  h6 {
    padding-top: 0.4rem;
    font-weight: 650;
    line-height: 1.3;
    letter-spacing: -0.01em;
  }
  h2 {
    font-size: 1.25rem;
  }
  h3 {
    font-size: 1.12rem;
  }
  h4,
  h5,
  h6 {
    font-size: 1rem;
  }
  ul,
  ol {
    padding-inline-start: 1.5rem;
  }
  li + li,
  li > ul,
  li > ol {
    margin-top: 0.25rem;
  }
  li > p + * {
    margin-top: 0.5rem;
  }
  li::marker {
    color: var(--color-text-quiet);
  }
  .task {
    margin-inline-start: -1.25rem;
    list-style: none;
  }
  blockquote {
    padding-inline-start: 1rem;
    border-inline-start: 3px solid var(--color-line-strong);
    color: var(--color-text-quiet);
  }
  .alert {
    border-color: var(--color-accent);
    color: inherit;
  }
  .alert:is(.warning, .caution) {
    border-color: var(--color-danger);
  }
  :is(blockquote, details, dd) > * + * {
    margin-top: 0.5rem;
  }
  dt,
  .alert > .title {
    font-weight: 600;
  }
  dd + dt {
    margin-top: 0.5rem;
  }
  dd {
    margin-inline-start: 1.5rem;
  }
  summary {
    cursor: pointer;
    font-weight: 600;
  }
  hr {
    border: 0;
    border-top: 1px solid var(--color-line);
  }
  a {
    color: var(--color-accent);
    text-underline-offset: 0.18em;
  }
  code,
  kbd,
  pre {
    font-family: var(--font-code);
  }
  :not(pre) > code,
  kbd {
    padding: 0.1em 0.35em;
    border-radius: var(--radius-small);
    background: var(--color-sunken);
    font-size: 0.9em;
  }
  sup,
  sub {
    font-size: 0.75em;
    line-height: 0;
  }
  mark {
    background: var(--color-warning-soft);
    color: inherit;
  }
  /* A list item or cell whose text has another direction is aligned with its number or its column's header. */
  :is(ul, ol, table)[dir='ltr'] {
    text-align: left;
  }
  :is(ul, ol, table)[dir='rtl'] {
    text-align: right;
  }
  li,
  th,
  td {
    unicode-bidi: plaintext;
  }
  .hidden-character {
    unicode-bidi: isolate;
  }
  .hidden-character::before {
    content: attr(data-code);
    margin-inline: 0.15em;
    padding-inline: 0.3em;
    border: 1px solid var(--color-danger);
    border-radius: var(--radius-small);
    color: var(--color-danger);
    font-size: 0.75em;
  }
  .code {
    overflow: hidden;
    border: 1px solid var(--color-line);
    border-radius: var(--radius-normal);
    background: var(--color-code);
  }
  figcaption {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding-inline: 0.9rem 0.3rem;
    border-bottom: 1px solid var(--color-line);
    color: var(--color-text-quiet);
    font-family: var(--font-code);
    font-size: 0.75rem;
    /* Excludes the language and the button from a copied selection. */
    -webkit-user-select: none;
    user-select: none;
  }
  .unrendered {
    white-space: pre-wrap;
  }
  .citation {
    /* Larger than it looks, so that a finger can hit it, without widening the line. */
    padding: 0.35em 0.2em;
    margin: -0.35em -0.2em;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: var(--color-accent);
    font: inherit;
    font-weight: 600;
    text-decoration: underline;
    text-underline-offset: 0.18em;
    cursor: pointer;
  }
  figcaption button {
    min-height: var(--target-small);
    padding: 0 0.6rem;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: inherit;
    font: 0.75rem var(--font-text);
    cursor: pointer;
  }
  figcaption button:hover {
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
  }
  pre {
    margin: 0;
    padding: 0.8rem 0.9rem;
    overflow-x: auto;
    font-size: 0.86rem;
    line-height: 1.55;
    tab-size: 2;
  }
  :focus-visible {
    outline: 2px solid var(--color-focus);
    outline-offset: -2px;
  }

  .hljs-comment,
  .hljs-quote {
    color: var(--color-text-quiet);
    font-style: italic;
  }
  .hljs-keyword,
  .hljs-selector-tag,
  .hljs-literal,
  .hljs-name,
  .hljs-section {
    color: light-dark(#7a2e8e, #d9a3ea);
  }
  .hljs-string,
  .hljs-regexp,
  .hljs-addition,
  .hljs-symbol {
    color: light-dark(#17624b, #8fdcb9);
  }
  .hljs-number,
  .hljs-meta,
  .hljs-attr,
  .hljs-attribute,
  .hljs-template-variable {
    color: light-dark(#8a4b00, #f0bd6c);
  }
  .hljs-title,
  .hljs-built_in,
  .hljs-type,
  .hljs-selector-class,
  .hljs-selector-id {
    color: light-dark(#1d4f91, #9cc4f5);
  }
  .hljs-deletion {
    color: var(--color-danger);
  }
  .hljs-emphasis {
    font-style: italic;
  }
  .hljs-strong {
    font-weight: 700;
  }
  @media print {
    pre {
      overflow: visible;
      white-space: pre-wrap;
    }
    figcaption button {
      display: none;
    }
  }
`;
