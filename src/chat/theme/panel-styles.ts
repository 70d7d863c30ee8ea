import { css } from 'lit';
import { progressStyles } from './progress-styles.ts';

/** The content of a section: a column of rows, fields, notes and progress bars. */
export const panelStyles = css`
  :host {
    display: grid;
    gap: var(--space-3);
  }
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }
  p.quiet {
    max-width: var(--measure);
  }
  ul,
  ol {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2) var(--space-3);
  }
  .row > .grow {
    flex: 1 1 12rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .card {
    padding: var(--space-4);
    border: 1px solid var(--color-line);
    border-radius: var(--radius-large);
    background: var(--color-surface);
  }
  .error {
    padding: var(--space-3) var(--space-4);
    border-radius: var(--radius-normal);
    background: var(--color-danger-soft);
    color: var(--color-text);
  }
  button.small {
    min-height: var(--target-small);
    padding: 0 var(--space-3);
    font-size: var(--text-small);
  }
  label,
  .field {
    display: grid;
    gap: var(--space-1);
    font-size: var(--text-small);
    font-weight: 500;
  }
  /* Phones zoom into a field with a smaller font. */
  :is(label, .field) > :is(input, select) {
    font-size: 1rem;
    font-weight: normal;
  }
  label.check {
    font-weight: 400;
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-height: var(--target);
  }
  progress {
    display: block;
    width: 100%;
    height: 0.5rem;
  }
  ${progressStyles}
`;
