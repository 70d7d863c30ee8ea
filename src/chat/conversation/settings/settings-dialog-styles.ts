import { css } from 'lit';

export const settingsDialogStyles = css`
  wa-dialog {
    --width: min(40rem, 94vw);
  }
  /* Draws a line at which scrolled content is cut off. */
  wa-dialog::part(header) {
    padding-bottom: var(--space-3);
    border-bottom: 1px solid var(--color-line);
  }
  form {
    display: grid;
    gap: var(--space-5);
    /* Extends the form to the bottom edge of the dialog, whether it is scrolled or not. */
    margin-bottom: calc(-1 * var(--spacing, 1.5rem));
  }
  .parts:not([hidden]) {
    display: grid;
    gap: var(--space-5);
  }
  [hidden] {
    display: none;
  }
  summary {
    width: fit-content;
    padding-block: calc((var(--target) - 1lh) / 2);
    font-weight: 650;
    cursor: pointer;
  }
  fieldset:not([hidden]) {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
    gap: var(--space-4);
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    margin-bottom: var(--space-3);
    padding: 0;
    font-weight: 650;
  }
  label {
    display: grid;
    align-content: start;
    gap: var(--space-1);
    font-weight: 500;
  }
  .wide {
    grid-column: 1 / -1;
  }
  .help {
    color: var(--color-text-quiet);
    font-size: var(--text-small);
    font-weight: 400;
  }
  p.help {
    margin: 0;
  }
  .tools label {
    grid-template-columns: auto 1fr;
    align-items: start;
    gap: var(--space-2);
    min-height: var(--target);
  }
  .tools input {
    margin-top: 0.15rem;
  }
  .tools .help {
    display: block;
  }
  .problem {
    color: var(--color-danger);
  }
  textarea {
    field-sizing: content;
    min-height: 4.5rem;
    max-height: 16rem;
    resize: vertical;
  }
  [name='jsonSchema'],
  [name='stop'] {
    font-family: var(--font-code);
    font-size: 0.875rem;
  }
  .presets {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  [aria-pressed='true'] {
    border-color: var(--color-accent);
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
  }
  footer {
    position: sticky;
    bottom: calc(-1 * var(--spacing, 1.5rem));
    display: flex;
    justify-content: flex-end;
    gap: var(--space-2);
    margin-inline: calc(-1 * var(--spacing, 1.5rem));
    padding: var(--space-3) var(--spacing, 1.5rem);
    border-top: 1px solid var(--color-line);
    background: var(--color-surface);
  }
`;
