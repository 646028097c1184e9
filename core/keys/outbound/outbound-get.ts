import { type OutboundOptions, outboundRequest } from './outbound-request.js';

/** GETs an address that a realm or client names, under the rules of `outboundRequest`. */
export function outboundGet(address: string, options: OutboundOptions): Promise<Response> {
  return outboundRequest(address, options);
}
