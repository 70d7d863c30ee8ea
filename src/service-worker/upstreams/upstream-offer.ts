import { ApiError } from '../../shared/api-error.ts';
import { upstreamInfo, type Upstream } from '../../shared/upstreams/upstream.ts';

/** Returns an error of this device with a sentence that says which upstream could respond. */
export function withOffer(error: ApiError, upstream: Upstream): ApiError {
  const { code, message, param, retryAfter } = error;
  return new ApiError(code, `${message} ${offer(upstream)}`, { param, retryAfter });
}

/** Returns the error for a request to an upstream that the user has not allowed. */
export function notAllowed(upstream: Upstream): ApiError {
  return new ApiError('upstream_not_allowed', `This model does not run on this device. ${offer(upstream)}`, {
    param: 'model',
  });
}

function offer(upstream: Upstream): string {
  const { name, origin } = upstreamInfo(upstream);
  return `This site offers ${name} (${origin}) for it: a page of this site asks whoever uses this browser to allow that, with \`allowUpstream()\`.`;
}
