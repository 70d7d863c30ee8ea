/** The used part of a `SecurityPolicyViolationEvent`. */
export interface PolicyViolation {
  /** The blocked address; for another origin, browsers may give the origin only. */
  readonly blockedURI: string;
  readonly effectiveDirective: string;
  /** `report` for a Content-Security-Policy that only reports and does not block. */
  readonly disposition: 'enforce' | 'report';
}

/** The used part of a document or of a worker's global scope. */
interface PolicyViolationTarget {
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (violation: PolicyViolation) => void,
    options?: { readonly signal: AbortSignal },
  ): void;
}

/** Records what the Content-Security-Policy blocks, because the errors of blocked requests do not mention it. */
export class PolicyViolations {
  readonly #blocked: PolicyViolation[] = [];

  /**
   * @param target The document, or the worker's global scope.
   * @param signal Stops recording. Default: never.
   * @param onViolation Called for each violation. Default: violations are only recorded.
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
   * The directive that blocked an address; undefined if none did. The browser may report a violation slightly later
   * than the request's failure.
   * @param isFetch Whether the address was fetched by a script, rather than loaded as a script.
   */
  directiveFor(address: string, isFetch: boolean): string | undefined {
    return this.#blocked.findLast(
      ({ blockedURI, effectiveDirective }) =>
        (blockedURI === address || blockedURI === new URL(address).origin) &&
        (effectiveDirective === 'connect-src') === isFetch,
    )?.effectiveDirective;
  }
}
