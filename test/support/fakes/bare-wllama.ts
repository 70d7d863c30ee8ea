/** What llama.cpp's adapter asks a model of wllama about, answered for a model without a chat template. */
export class BareWllama {
  setCompat(_files: unknown): void {}
  async loadModel(_files: unknown, _parameters: Record<string, unknown>): Promise<void> {}
  getLoadedContextInfo(): object {
    return { success: true, n_vocab: 1000 };
  }
  getChatTemplate(): string | null {
    return null;
  }
  getBOS(): number {
    return -1;
  }
  getEOS(): number {
    return -1;
  }
  mustAddBosToken(): boolean {
    return false;
  }
  isTokenEOG(_token: number): boolean {
    return false;
  }
}
