import { css } from 'lit';

/**
 * Check boxes and radio buttons in the page's colours, because browsers show grey ones in dark mode. Must be the last
 * entry of `styles`.
 */
export const choiceStyles = css`
  input:is([type='checkbox'], [type='radio']) {
    display: inline-grid;
    flex: none;
    place-content: center;
    width: 1.15rem;
    height: 1.15rem;
    margin: 0;
    padding: 0;
    border-radius: 0.3rem;
    appearance: none;
    cursor: pointer;
  }
  input[type='radio'] {
    border-radius: 50%;
  }
  input:is([type='checkbox'], [type='radio']):checked {
    border-color: var(--color-accent);
    background: var(--color-accent);
  }
  input:is([type='checkbox'], [type='radio']):checked::before {
    content: '';
    width: 0.7rem;
    height: 0.7rem;
    background: var(--color-on-accent);
    clip-path: polygon(14% 46%, 2% 59%, 40% 94%, 98% 22%, 85% 10%, 39% 69%);
  }
  input[type='radio']:checked::before {
    width: 0.5rem;
    height: 0.5rem;
    border-radius: 50%;
    clip-path: none;
  }
  @media (forced-colors: active) {
    input:is([type='checkbox'], [type='radio']) {
      appearance: auto;
    }
  }
`;
