import { css } from 'lit';

/** The frame of the screens beside the conversation: one column of sections. */
export const viewStyles = css`
  :host {
    display: block;
    max-width: 62rem;
    margin-inline: auto;
    padding: var(--space-5) clamp(var(--space-4), 4vw, var(--space-6)) var(--space-6);
  }
  :host > *,
  section {
    min-width: 0;
  }
  header p,
  .lead {
    max-width: var(--measure);
    margin: var(--space-2) 0 0;
    color: var(--color-text-quiet);
  }
  section {
    margin-top: var(--space-5);
  }
  section > h2 {
    margin-bottom: var(--space-3);
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
    margin: 0;
  }
  p {
    overflow-wrap: anywhere;
  }
  .error {
    padding: var(--space-3) var(--space-4);
    border-radius: var(--radius-normal);
    background: var(--color-danger-soft);
    color: var(--color-text);
  }
  button.small {
    min-height: 2rem;
    padding: 0 var(--space-3);
    font-size: var(--text-small);
  }
  label,
  .field {
    display: grid;
    gap: var(--space-1);
    font-size: var(--text-small);
    font-weight: 550;
  }
  label > :is(input, select) {
    font-weight: normal;
  }
  label.check {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-height: var(--target);
  }
  progress {
    display: block;
    width: 100%;
    height: 0.5rem;
    border: 0;
    border-radius: 1rem;
    overflow: hidden;
    background: var(--color-sunken);
    box-shadow: inset 0 0 0 1px var(--color-line);
    appearance: none;
  }
  progress::-webkit-progress-bar {
    background: var(--color-sunken);
  }
  progress::-webkit-progress-value {
    background: var(--color-accent);
    transition: inline-size 250ms linear;
  }
  progress::-moz-progress-bar {
    background: var(--color-accent);
  }
`;
