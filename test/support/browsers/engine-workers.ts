import type { Browser, CDPSession } from '@playwright/test';

const COUNT_DISPATCHES = `
  globalThis.originalDispatch ??= GPUComputePassEncoder.prototype.dispatchWorkgroups;
  globalThis.dispatches = 0;
  GPUComputePassEncoder.prototype.dispatchWorkgroups = function (...size) {
    globalThis.dispatches++;
    return globalThis.originalDispatch.apply(this, size);
  };`;

/** An engine worker, controlled by DevTools, because Playwright does not support shared workers. */
export class EngineWorkerTarget {
  readonly #browser: CDPSession;
  readonly #targetId: string;
  readonly #sessionId: string;
  #commands = 0;

  private constructor(browser: CDPSession, targetId: string, sessionId: string) {
    this.#browser = browser;
    this.#targetId = targetId;
    this.#sessionId = sessionId;
  }

  /** Returns the ids of the browser's engine workers. */
  static async list(browser: Browser): Promise<string[]> {
    const session = await browser.newBrowserCDPSession();
    const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'shared_worker' }] });
    await session.detach();
    return targetInfos.filter(({ title, url }) => /engine/.test(title + url)).map(({ targetId }) => targetId);
  }

  /** Attaches to the only engine worker. */
  static async attach(browser: Browser): Promise<EngineWorkerTarget> {
    const [targetId, ...others] = await EngineWorkerTarget.list(browser);
    if (!targetId || others.length > 0)
      throw new Error(`${others.length + (targetId ? 1 : 0)} engine workers instead of one.`);
    const session = await browser.newBrowserCDPSession();
    const { sessionId } = await session.send('Target.attachToTarget', { targetId });
    return new EngineWorkerTarget(session, targetId, sessionId);
  }

  /** Returns the value of an expression in the worker. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const id = ++this.#commands;
    const answered = new Promise<Value>((resolve, reject) => {
      const listen = ({ sessionId, message }: { sessionId: string; message: string }) => {
        const answer = JSON.parse(message);
        if (sessionId !== this.#sessionId || answer.id !== id) return;
        this.#browser.off('Target.receivedMessageFromTarget', listen);
        if (answer.error || answer.result.exceptionDetails) reject(new Error(message));
        else resolve(answer.result.result.value);
      };
      this.#browser.on('Target.receivedMessageFromTarget', listen);
    });
    const command = { id, method: 'Runtime.evaluate', params: { expression, awaitPromise: true, returnByValue: true } };
    await this.#browser.send('Target.sendMessageToTarget', {
      sessionId: this.#sessionId,
      message: JSON.stringify(command),
    });
    return answered;
  }

  /** Runs `action`, and counts the worker's compute dispatches meanwhile. */
  async measure<Result>(
    action: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly dispatches: number }> {
    await this.evaluate(COUNT_DISPATCHES);
    const result = await action();
    return { result, dispatches: await this.evaluate<number>('globalThis.dispatches') };
  }

  /** Delays each read-back from the GPU (one per token), so that a test has time to act during an answer. */
  async slowDown(milliseconds: number): Promise<void> {
    await this.evaluate(`
      globalThis.originalMap ??= GPUBuffer.prototype.mapAsync;
      GPUBuffer.prototype.mapAsync = async function (...range) {
        await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
        return globalThis.originalMap.apply(this, range);
      };`);
  }

  /** Holds back all read-backs from the GPU, and so all tokens, until {@link releaseTokens}. */
  async holdTokens(): Promise<void> {
    await this.evaluate(`
      globalThis.originalMap ??= GPUBuffer.prototype.mapAsync;
      globalThis.held = new Promise((resolve) => (globalThis.release = resolve));
      GPUBuffer.prototype.mapAsync = async function (...range) {
        await globalThis.held;
        return globalThis.originalMap.apply(this, range);
      };`);
  }

  async releaseTokens(): Promise<void> {
    await this.evaluate('globalThis.release()');
  }

  /** Ends the worker, as the operating system does under memory pressure. */
  async kill(): Promise<void> {
    await this.#browser.send('Target.closeTarget', { targetId: this.#targetId });
  }

  detach(): Promise<void> {
    return this.#browser.detach();
  }
}
