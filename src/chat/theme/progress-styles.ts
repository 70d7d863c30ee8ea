import { css } from 'lit';

/** Progress bars, in the colour `--progress-color`. Default: the accent colour. */
export const progressStyles = css`
  progress {
    border: 0;
    border-radius: 1rem;
    overflow: hidden;
    background: var(--color-line);
    appearance: none;
  }
  progress::-webkit-progress-bar {
    background: var(--color-line);
  }
  progress::-webkit-progress-value {
    border-radius: 1rem;
    background: var(--progress-color, var(--color-accent));
    transition: inline-size 200ms linear;
  }
  /* Striped if it is unknown how much there is. */
  progress:indeterminate,
  progress:indeterminate::-webkit-progress-bar {
    background: repeating-linear-gradient(-45deg, var(--color-line) 0 0.5rem, var(--color-sunken) 0.5rem 1rem);
  }
  progress:indeterminate::-moz-progress-bar {
    background: none;
  }
  progress:not(:indeterminate)::-moz-progress-bar {
    background: var(--progress-color, var(--color-accent));
  }
`;
