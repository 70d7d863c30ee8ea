import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { DownloadFailure, DownloadProgress, FileProgress } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { inPageLanguage } from '../strings/engine-sentences.ts';
import { downloadStrings } from '../strings/download-strings.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { laterIcons } from '../theme/later-icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { failureWords, progressFacts, waitsForNetwork } from './progress-facts.ts';

export class DownloadStatus extends LitElement {
  static override properties = { progress: { attribute: false } };
  declare progress: DownloadProgress;

  static override styles = [
    controlStyles,
    separatedStyles,
    panelStyles,
    css`
      :host {
        gap: var(--space-2);
      }
      .numbers {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 var(--space-4);
        font-size: var(--text-small);
        font-variant-numeric: tabular-nums;
      }
      .failure {
        display: flex;
        gap: var(--space-2);
        padding: var(--space-3);
        border-radius: var(--radius-normal);
        background: var(--color-danger-soft);
        font-size: var(--text-small);
      }
      .failure.passing {
        background: var(--color-warning-soft);
      }
      .failure svg {
        color: var(--color-danger);
      }
      .failure.passing svg {
        color: var(--color-warning);
      }
      details {
        font-size: var(--text-small);
      }
      summary {
        width: fit-content;
        padding-block: calc((var(--target-small) - 1lh) / 2);
        color: var(--color-accent);
        cursor: pointer;
      }
      ol {
        display: block;
        max-height: 16rem;
        margin: var(--space-2) 0 0;
        overflow: auto;
        font-variant-numeric: tabular-nums;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0 var(--space-3);
        padding: var(--space-1) 0;
        border-top: 1px solid var(--color-line);
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render() {
    const { id, phase, receivedBytes, totalBytes, bytesPerSecond, secondsLeft, failure, files } = this.progress;
    const moving = phase === 'downloading' && bytesPerSecond > 0;
    return html`
      <div class="numbers">
        ${separated(progressFacts(this.progress))}
        ${
          moving
            ? separated([
                modelStrings.speed(bytesPerSecond),
                ...(secondsLeft === null ? [] : [modelStrings.left(secondsLeft)]),
              ])
            : nothing
        }
      </div>
      <progress
        aria-label=${modelStrings.progressOf(modelName(id))}
        max=${totalBytes ?? 1}
        value=${totalBytes === null ? nothing : receivedBytes}
      ></progress>
      ${phase === 'paused' && receivedBytes > 0 ? html`<p class="quiet small">${downloadStrings.pausedNote}</p>` : nothing}
      ${
        failure === null
          ? nothing
          : html`<div class="failure ${phase === 'failed' ? '' : 'passing'}">
            ${icon(laterIcons.warning)}
            <div>
              <p role=${phase === 'failed' ? 'alert' : 'status'}>${failureOf(failure, this.progress)}</p>
              <details>
                <summary>${modelStrings.details}</summary>
                <p>${detailsOf(failure, phase === 'failed')}</p>
              </details>
            </div>
          </div>`
      }
      ${files.length > 0 ? this.#files(files) : nothing}
    `;
  }

  #files(files: readonly FileProgress[]): TemplateResult {
    const done = files.filter(({ state }) => state === 'done').length;
    return html`<details>
      <summary>${downloadStrings.files(done, files.length)}</summary>
      <ol tabindex="0" aria-label=${downloadStrings.files(done, files.length)}>
        ${files.map(
          ({ file, state, receivedBytes, totalBytes, resumable }) => html`<li>
            <span>${file}</span>
            <span>${modelStrings.progress(receivedBytes, totalBytes)}</span>
            <span class="quiet">${downloadStrings.fileStates[state]}${resumable ? nothing : `; ${downloadStrings.restarts}`}</span>
          </li>`,
        )}
      </ol>
    </details>`;
  }
}
customElements.define('download-status', DownloadStatus);

/** Says why a download has failed, or what it waits for. */
function failureOf(failure: DownloadFailure, progress: DownloadProgress): string {
  if (progress.phase === 'failed') return failureWords(failure, progress);
  return waitsForNetwork(progress) ? downloadStrings.offline : downloadStrings.retrying;
}

/** Returns what happened and, if nothing is retried, what to do about it. */
function detailsOf({ message, remedy, sentences }: DownloadFailure, hasEnded: boolean): string {
  if (!hasEnded) return inPageLanguage(message, sentences?.slice(0, 1));
  return inPageLanguage(`${message} ${remedy}`, sentences);
}
