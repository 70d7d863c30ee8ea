import { css } from 'lit';

/** Styles of a `.badge`: whether a model fits this device (see `Fitness`) or is loaded (`.now`). */
export const badgeStyles = css`
  .badge {
    display: inline-flex;
    align-items: center;
    gap: var(--space-1);
    padding: 0.1rem 0.6rem;
    border-radius: 1rem;
    background: var(--color-sunken);
    color: var(--color-text);
    font-size: var(--text-small);
    font-weight: 500;
  }
  .badge svg {
    width: 1rem;
    height: 1rem;
  }
  .badge.suits,
  .badge.now {
    background: var(--color-accent-soft);
    color: var(--color-on-accent-soft);
  }
  .badge.slow,
  .badge.tight,
  .badge.doubtful {
    background: var(--color-warning-soft);
    color: var(--color-warning);
  }
  .badge.no {
    background: var(--color-danger-soft);
    color: var(--color-danger);
  }
`;
