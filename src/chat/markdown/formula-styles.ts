import { css } from 'lit';

export const formulaStyles = css`
  math {
    direction: ltr;
    line-height: normal;
    /* A copy event sets the variable to none, so that only the source is copied. */
    -webkit-user-select: var(--formula-selection, text);
    user-select: var(--formula-selection, text);
  }
  /* Hides the MathML, before which Chromium would otherwise copy a line break. */
  @container style(--formula-selection: none) {
    math {
      display: none;
    }
  }
  .formula.display {
    display: block;
    padding-block: 0.2rem;
    /* Gives the hidden source no height. */
    line-height: 0;
    overflow-x: auto;
    overflow-y: hidden;
  }
  .source {
    color: transparent;
    font-size: 0;
  }
  mtd.tml-right {
    padding-inline-end: 0;
    text-align: right;
    text-align: -webkit-right;
  }
  mtd.tml-left {
    padding-inline-start: 0;
    text-align: left;
    text-align: -webkit-left;
  }
  /*
   * A gap before the conditions in a LaTeX cases environment: two left-aligned columns. A left-aligned column after a
   * right-aligned one, as in align, continues it and gets none.
   */
  mtd.tml-left + mtd.tml-left {
    padding-inline-start: 1em;
  }
  .has-border {
    padding: 0.3em;
    border: 1px solid;
  }
  .has-border-top {
    border-top: 1px solid;
  }
  .has-border-bottom {
    border-bottom: 1px solid;
  }
  .has-border-left {
    border-left: 1px solid;
  }
  .has-border-right {
    border-right: 1px solid;
  }
  .has-font-weight {
    font-weight: 700;
  }
  menclose {
    position: relative;
  }
  .tml-cancel {
    position: absolute;
    inset: 0;
    background: linear-gradient(to bottom right, transparent 48%, currentColor 48% 52%, transparent 52%);
  }
  .upstrike {
    background: linear-gradient(to top right, transparent 48%, currentColor 48% 52%, transparent 52%);
  }
`;
