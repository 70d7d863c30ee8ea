import { css } from 'lit';

export const conversationListStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
  }
  timed-notice {
    margin-block: var(--space-2) var(--space-3);
  }
  .search {
    position: relative;
    display: flex;
    margin-bottom: var(--space-2);
  }
  .search svg {
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0.65rem;
    margin-block: auto;
    color: var(--color-text-quiet);
    pointer-events: none;
  }
  input[type='search'] {
    padding-left: 2.3rem;
  }
  /* The page's direction decides the side of the icon; the text in the field may have another direction. */
  :host(:dir(rtl)) input[type='search'] {
    padding-right: 2.3rem;
    padding-left: var(--space-3);
    text-align: right;
  }
  .scroll {
    flex: 1;
    min-height: 0;
    margin-inline: -4px;
    padding: 4px 4px var(--space-2);
    overflow-y: auto;
  }
  h2 {
    padding: var(--space-3) var(--space-3) var(--space-1);
    color: var(--color-text-quiet);
    font-size: 0.75rem;
    font-weight: 600;
    letter-spacing: 0.02em;
  }
  ul {
    display: grid;
    gap: 2px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    min-width: 0;
    content-visibility: auto;
    contain-intrinsic-size: auto 2.4rem;
  }
  li.found {
    contain-intrinsic-size: auto 4.5rem;
  }
  p {
    margin: var(--space-2) var(--space-3);
    color: var(--color-text-quiet);
    font-size: var(--text-small);
  }
`;
