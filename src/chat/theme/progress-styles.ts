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
  progress::-moz-progress-bar {
    background: var(--progress-color, var(--color-accent));
  }
`;
