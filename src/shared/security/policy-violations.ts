/** What is used of a `SecurityPolicyViolationEvent`. */
export interface PolicyViolation {
  /** Address that was blocked; of another origin's, browsers may tell no more than the origin. */
  readonly blockedURI: string;
  readonly effectiveDirective: string;
  /** `report` for a policy that blocks nothing. */
  readonly disposition: 'enforce' | 'report';
}

/** What is used of a document, or of a worker's global scope. */
interface PolicyViolationTarget {
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (violation: PolicyViolation) => void,
    options?: { readonly signal: AbortSignal },
  ): void;
}

/** Remembers what the Content-Security-Policy of a page or worker blocks: what fails by it does not say so itself. */
export class PolicyViolations {
  readonly #blocked: PolicyViolation[] = [];

  /**
   * @param target The document, or the worker's global scope.
   * @param signal Ends it. Default: nothing does.
   * @param onViolation Told of each. Default: nobody is.
   */
  constructor(
    target: PolicyViolationTarget,
    signal: AbortSignal = new AbortController().signal,
    onViolation: (violation: PolicyViolation) => void = () => {},
  ) {
    const listen = (violation: PolicyViolation) => {
      if (violation.disposition === 'report') return;
      this.#blocked.push(violation);
      onViolation(violation);
    };
    target.addEventListener('securitypolicyviolation', listen, { signal });
  }

  /**
   * The directive that has blocked an address, which has just failed; undefined where none has. The browser may tell of
   * it a moment later than of the failure.
   * @param isFetch Whether it was blocked as what a script fetches, or as a script.
   */
  directiveFor(address: string, isFetch: boolean): string | undefined {
    return this.#blocked.findLast(
      ({ blockedURI, effectiveDirective }) =>
        (blockedURI === address || blockedURI === new URL(address).origin) &&
        (effectiveDirective === 'connect-src') === isFetch,
    )?.effectiveDirective;
  }
}
