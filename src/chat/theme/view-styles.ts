import { css } from 'lit';

/** The layout of all screens except the conversation: one column of sections. Must follow {@link panelStyles}. */
export const viewStyles = css`
  :host {
    display: block;
    max-width: 62rem;
    margin-inline: auto;
    padding-block: var(--space-5) var(--space-6);
    /* The scrollbar gutters are part of the margin. */
    padding-inline: max(9px, clamp(var(--space-4), 4vw, var(--space-6)) - (100cqi - 100%) / 2);
  }
  :host > *,
  section {
    min-width: 0;
  }
  header p {
    max-width: var(--measure);
    margin-top: var(--space-2);
    color: var(--color-text-quiet);
  }
  section {
    margin-top: var(--space-5);
  }
  section > h2 {
    margin-bottom: var(--space-3);
  }
  :host > .error,
  section > .error {
    margin-top: var(--space-3);
  }
  section > p {
    max-width: var(--measure);
    margin-block: var(--space-2);
  }
`;
