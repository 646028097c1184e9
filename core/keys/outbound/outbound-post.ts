import { type OutboundOptions, outboundRequest } from './outbound-request.js';

/** POSTs a form to an address that a client names, under the rules of `outboundRequest`. */
export function outboundPost(address: string, form: URLSearchParams, options: OutboundOptions): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
  return outboundRequest(address, { ...options, headers }, form.toString());
}
