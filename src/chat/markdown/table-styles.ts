import { css } from 'lit';

/**
 * A wide table scrolls in its frame. A shadow marks each edge beyond which the table continues. At the table's own
 * edges, a cover that scrolls along hides the shadow.
 */
export const tableStyles = css`
  .table {
    --hint: color-mix(in oklab, var(--color-text) 32%, transparent);
    overflow-x: auto;
    border: 1px solid var(--color-line);
    border-radius: var(--radius-normal);
    background:
      linear-gradient(to right, var(--color-page) 40%, transparent) left / 2.5rem 100% local,
      linear-gradient(to left, var(--color-page) 40%, transparent) right / 2.5rem 100% local,
      linear-gradient(to right, var(--hint), transparent) left / 0.8rem 100% scroll,
      linear-gradient(to left, var(--hint), transparent) right / 0.8rem 100% scroll;
    background-repeat: no-repeat;
  }
  table {
    border-collapse: collapse;
    min-width: 100%;
    font-size: 0.95em;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    min-width: 4.5rem;
    padding: 0.45rem 0.8rem;
    border-bottom: 1px solid var(--color-line);
    overflow-wrap: normal;
    text-align: inherit;
  }
  [align='right'] {
    text-align: right;
  }
  [align='left'] {
    text-align: left;
  }
  [align='center'] {
    text-align: center;
  }
  tr:last-child > td {
    border-bottom: 0;
  }
  /* Transparent, so that the shadow of the frame shows through. */
  th {
    background: color-mix(in oklab, var(--color-text) 5%, transparent);
    font-weight: 600;
  }
  /* Forced colours would not recolour the shadow and its cover. */
  @media (forced-colors: active), print {
    .table {
      background: none;
    }
  }
  @media print {
    .table {
      overflow: visible;
    }
  }
`;
