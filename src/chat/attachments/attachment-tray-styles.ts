import { css } from 'lit';

export const attachmentTrayStyles = css`
  :host {
    display: block;
  }
  ul {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr));
    gap: var(--space-2);
    max-height: 30dvh;
    margin: 0;
    padding: var(--space-1);
    overflow-y: auto;
    list-style: none;
  }
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 0 var(--space-2);
    max-width: 100%;
    padding: 0 0 0 var(--space-3);
    border: 1px solid var(--color-line);
    border-radius: var(--radius-normal);
    background: var(--color-sunken);
    font-size: var(--text-small);
    --target: var(--target-medium);
    --icon-size: 1rem;
  }
  /* Puts a file with a message on its own line. */
  li:has(.words) {
    grid-column: 1 / -1;
  }
  li:dir(rtl) {
    padding: 0 var(--space-3) 0 0;
  }
  .name img {
    flex: none;
    width: 1.5rem;
    height: 1.5rem;
    border-radius: var(--radius-small);
    object-fit: cover;
  }
  .name {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    overflow: hidden;
    font-weight: 550;
  }
  .name bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .facts {
    color: var(--color-text-quiet);
    font-variant-numeric: tabular-nums;
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-1) var(--space-2);
  }
  .words {
    grid-column: 1 / -1;
    padding-block-end: var(--space-2);
    padding-inline-end: var(--space-3);
    text-wrap: balance;
  }
  .failed {
    border-color: var(--color-danger);
    background: var(--color-danger-soft);
  }
  .failed .facts {
    color: var(--color-text);
  }
  .refusal {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-2);
    padding: var(--space-1) var(--space-1) var(--space-2) var(--space-3);
    font-size: var(--text-small);
    overflow-wrap: anywhere;
  }
  .refusal span {
    flex: 1 1 12rem;
    min-width: 0;
  }
  .refusal button {
    min-height: var(--target-small);
    font-size: inherit;
  }
  select {
    width: auto;
    max-width: 100%;
    min-height: var(--target-small);
    padding-block: 0;
    font-size: inherit;
  }
  p {
    margin: 0;
    padding: var(--space-1) var(--space-3);
    font-size: var(--text-small);
  }
`;
