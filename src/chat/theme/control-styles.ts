import { css } from 'lit';

/**
 * Shared styles for buttons, fields and headings: `button` (plain), `.primary`, `.danger`, `.icon` (square, icon only,
 * needs an `aria-label`), `input`, `select`, `textarea`, links, `.quiet`, `.hidden` (for screen readers only).
 */
export const controlStyles = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3 {
    margin: 0;
    line-height: 1.2;
    letter-spacing: -0.015em;
    text-wrap: balance;
  }
  h1 {
    font-size: var(--text-title);
    font-weight: 650;
  }
  h2 {
    font-size: var(--text-large);
    font-weight: 650;
  }
  h3 {
    font-size: 1rem;
    font-weight: 650;
  }
  a {
    color: var(--color-accent);
    text-underline-offset: 0.18em;
  }
  code,
  kbd,
  pre {
    font-family: var(--font-code);
    font-size: 0.9em;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-2);
    min-height: var(--target);
    padding: var(--space-1) var(--space-4);
    border: 1px solid var(--color-line-strong);
    border-radius: var(--radius-normal);
    background: var(--color-surface);
    color: var(--color-text);
    font: inherit;
    font-weight: 500;
    text-decoration: none;
    cursor: pointer;
    /* Excludes the labels of buttons from a copied selection. */
    -webkit-user-select: none;
    user-select: none;
    transition:
      background-color 120ms,
      border-color 120ms;
  }
  button:disabled {
    opacity: 0.55;
    cursor: not-allowed;
  }
  button.primary {
    border-color: transparent;
    background: var(--color-accent);
    color: var(--color-on-accent);
    font-weight: 600;
  }
  button.danger {
    border-color: var(--color-danger);
    color: var(--color-danger);
  }
  button.icon {
    width: var(--target);
    padding: 0;
    border-color: transparent;
    background: transparent;
    color: var(--color-text-quiet);
  }
  button.icon svg {
    width: var(--icon-size, 1.25rem);
    height: var(--icon-size, 1.25rem);
  }
  /* Only for pointers that can hover: a touched element would stay in its hover state. */
  @media (hover: hover) {
    button:hover:not(:disabled),
    .button:hover {
      border-color: var(--color-accent);
      background: var(--color-accent-soft);
      color: var(--color-on-accent-soft);
    }
    button.primary:hover:not(:disabled) {
      background: var(--color-accent-strong);
      color: var(--color-on-accent);
    }
    button.danger:hover:not(:disabled) {
      border-color: var(--color-danger);
      background: var(--color-danger-soft);
      color: var(--color-danger);
    }
    button.icon:hover:not(:disabled) {
      border-color: transparent;
    }
  }
  hr {
    margin: var(--space-1) 0;
    border: 0;
    border-top: 1px solid var(--color-line);
  }
  @media (hover: none) {
    wa-dropdown-item {
      padding-block: 0.8em;
    }
  }
  input,
  select,
  textarea {
    width: 100%;
    min-height: var(--target);
    /* With its border, a field with one line is as high as a button. */
    padding: 0.4rem var(--space-3);
    border: 1px solid var(--color-line-strong);
    border-radius: var(--radius-normal);
    background: var(--color-surface);
    color: var(--color-text);
    font: inherit;
    font-weight: 400;
  }
  input[type='checkbox'],
  input[type='radio'] {
    width: auto;
    min-height: 0;
    accent-color: var(--color-accent);
  }
  /* Browsers indent the text of a select by 4px. */
  select {
    padding-inline-start: calc(var(--space-3) - 4px);
  }
  /* The button that clears a search field is as thin as the icons. */
  @media (forced-colors: none) {
    ::-webkit-search-cancel-button {
      width: 0.8rem;
      height: 0.8rem;
      appearance: none;
      background: var(--color-text-quiet);
      clip-path: polygon(0 8%, 8% 0, 50% 42%, 92% 0, 100% 8%, 58% 50%, 100% 92%, 92% 100%, 50% 58%, 8% 100%, 0 92%, 42% 50%);
      cursor: pointer;
    }
  }
  ::placeholder {
    color: var(--color-text-quiet);
    opacity: 1;
  }
  :focus-visible {
    outline: 2px solid var(--color-focus);
    outline-offset: 2px;
  }
  /* The dialog would clip the outer part of the outline. */
  wa-dialog::part(body):focus-visible {
    outline-offset: -3px;
    border-radius: var(--radius-large);
  }
  /* Menu items touch each other, so the outline is drawn inside. */
  wa-dropdown-item:focus-visible {
    outline-offset: -2px;
  }
  /* Limits the lines of the title, such as a model's name, so that the rest of the dialog stays visible. */
  wa-dialog::part(title) {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow: hidden;
    margin-block: var(--space-2);
    text-wrap: balance;
  }
  .quiet {
    color: var(--color-text-quiet);
  }
  .small {
    font-size: var(--text-small);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
      scroll-behavior: auto !important;
    }
  }
`;
