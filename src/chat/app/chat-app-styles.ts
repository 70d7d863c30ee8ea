import { css } from 'lit';

export const chatAppStyles = css`
  :host {
    display: grid;
    grid-template-columns: var(--sidebar-width) minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    height: 100dvh;
  }
  aside {
    min-height: 0;
    border-inline-end: 1px solid var(--color-line);
    background: var(--color-sunken);
  }
  .main {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    container-type: inline-size;
  }
  main {
    /* Contains the absolutely positioned texts for screen readers, which would otherwise make the whole page scroll. */
    position: relative;
    flex: 1;
    min-height: 0;
    overflow: auto;
    scrollbar-gutter: stable both-edges;
  }
  /* The main area extends to the edges of the window, where most of a focus outline would be cut off. */
  main:focus-visible {
    outline: none;
  }
  main.fixed {
    overflow: hidden;
    scrollbar-gutter: auto;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-1) var(--space-2);
    border-bottom: 1px solid var(--color-line);
    background: var(--color-sunken);
  }
  .bar .title {
    align-content: center;
    flex: 1;
    min-height: var(--target);
    min-width: 0;
    overflow: hidden;
    color: var(--color-text);
    font-weight: 600;
    text-align: -webkit-match-parent;
    text-align: match-parent;
    text-decoration: none;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .skip {
    position: absolute;
    inset-block-start: var(--space-2);
    inset-inline-start: var(--space-2);
    z-index: 2;
  }
  .skip:not(:focus) {
    clip-path: inset(50%);
  }
  .error {
    margin: 0;
    padding: var(--space-2) var(--space-4);
    background: var(--color-danger-soft);
  }
  wa-drawer:not(:defined) {
    display: none;
  }
  wa-drawer {
    --size: min(20rem, 88vw);
    --spacing: 0;
  }
  wa-drawer::part(dialog) {
    background: var(--color-sunken);
  }
  wa-drawer::part(body) {
    padding: 0;
  }
  @media (max-width: 52rem) {
    :host {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  /* Prints all content: a scroll container would be cut off after the first page. */
  @media print {
    :host,
    .main {
      display: block;
      height: auto;
    }
    main,
    main.fixed {
      overflow: visible;
    }
    :host > :not(.main),
    .main > :not(main) {
      display: none;
    }
  }
`;
