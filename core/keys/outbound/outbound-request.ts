import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { traceHeaders } from '../../model/tracing.js';

/** Addresses that are not public hosts, by IANA's special-purpose registries (RFC 6890). */
const PRIVATE_ADDRESSES = new BlockList();
for (const [prefix, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // Former 6to4 relays (RFC 7526).
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE_ADDRESSES.addSubnet(prefix, bits, 'ipv4');
}
// Exceptions within global unicast. Addresses in 2001 and 2002 contain an embedded IPv4 address (Teredo, 6to4).
for (const [prefix, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  // Documentation (RFC 9637).
  ['3fff::', 20],
] as const) {
  PRIVATE_ADDRESSES.addSubnet(prefix, bits, 'ipv6');
}

/**
 * The global unicast addresses; IANA has assigned no others. So every other IPv6 form of an IPv4 address is private:
 * `::/96`, `::ffff:0:0:0/96`, `64:ff9b::/96` and so on.
 */
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');
/** IPv4 addresses in the form `::ffff:a.b.c.d`, which `BlockList` and sockets treat as a.b.c.d. */
const MAPPED_IPV4 = new BlockList();
MAPPED_IPV4.addSubnet('0.0.0.0', 0, 'ipv4');

/** True for loopback, private, link-local and other addresses that are not on the public internet. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return PRIVATE_ADDRESSES.check(bare, 'ipv4');
  return (
    PRIVATE_ADDRESSES.check(bare, 'ipv6') || !(GLOBAL_UNICAST.check(bare, 'ipv6') || MAPPED_IPV4.check(bare, 'ipv6'))
  );
}

export interface OutboundOptions {
  readonly signal: AbortSignal;
  /** Maximum size of the response body. */
  readonly maxBytes: number;
  /** Networks to which the request may connect, in addition to public addresses. */
  readonly privateNetworks: PrivateNetworks;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a GET to a URL of a realm or client, under the rules of `outboundMessage`. */
export function outboundGet(address: string, options: OutboundOptions): Promise<Response> {
  return outboundRequest(address, options);
}

/** POSTs a form to a URL of a client, under the rules of `outboundMessage`. */
export function outboundPost(address: string, form: URLSearchParams, options: OutboundOptions): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
  return outboundRequest(address, { ...options, headers }, form.toString());
}

/**
 * Sends a request and reads its response.
 * @param body sent by POST; undefined: the request is a GET
 */
async function outboundRequest(address: string, options: OutboundOptions, body?: string): Promise<Response> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { accept: 'application/json', ...options.headers };
  return readBody(await outboundMessage(address, { ...options, method, headers, body }), options.maxBytes);
}

/**
 * Sends a request of the host to a URL that a realm or client configures. Only http and https are allowed; redirects
 * are returned, not followed. It only connects to public addresses, and to those that the operator allows. A host name
 * is checked by its addresses at connect time, so DNS rebinding has no effect.
 * @param options.isPlainForPrivate allows http to private addresses only
 * @returns the response, with its body unread
 * @throws AddressRefusedError, or another Error with a readable message; the caller decides what it means
 */
export function outboundMessage(
  address: string,
  {
    headers,
    body,
    privateNetworks,
    isPlainForPrivate = false,
    ...options
  }: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array | undefined;
    readonly signal: AbortSignal;
    readonly privateNetworks: PrivateNetworks;
    readonly isPlainForPrivate?: boolean;
  },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new AddressRefusedError(`${url.protocol} is not http or https`);
    const checkAddress: AddressCheck = (resolved, name) => {
      if (isPrivateAddress(resolved)) return privateNetworks.allow(resolved) ? undefined : privateAddressError(name);
      if (url.protocol === 'https:' || !isPlainForPrivate) return undefined;
      return new AddressRefusedError(`${name} is a public address: it requires https`);
    };
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const refusal = isIP(host) === 0 ? undefined : checkAddress(host, host);
    if (refusal !== undefined) throw refusal;
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    request(
      url,
      {
        ...options,
        agent: false,
        headers: { ...traceHeaders(), ...headers },
        lookup: (name, lookupOptions, callback) => checkedLookup(checkAddress, name, lookupOptions, callback),
      },
      resolve,
    )
      .on('error', reject)
      // Closed without an error. This also happens if the server switches protocols (101), which is not supported.
      .on('close', () => reject(new Error('the connection ended before an HTTP response')))
      .end(body);
  });
}

/**
 * Resolves a host that a realm configures, for connections other than HTTP. The result is a public address, or one that
 * the operator allows. Connect to this address instead of the name, which may resolve differently a moment later.
 * @throws Error with a readable message
 */
export function outboundAddress(host: string, privateNetworks: PrivateNetworks): Promise<string> {
  const checkAddress: AddressCheck = (resolved, name) =>
    isPrivateAddress(resolved) && !privateNetworks.allow(resolved) ? privateAddressError(name) : undefined;
  if (isIP(host) !== 0) {
    const refusal = checkAddress(host, host);
    return refusal === undefined ? Promise.resolve(host) : Promise.reject(refusal);
  }
  return new Promise((resolve, reject) =>
    checkedLookup(checkAddress, host, {}, (error, address) =>
      error === null ? resolve(String(address)) : reject(error),
    ),
  );
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const status = response.statusCode ?? 0;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status });
}

/** Checks a resolved address. Returns the refusal; undefined if the address is allowed. */
type AddressCheck = (address: string, name: string) => AddressRefusedError | undefined;

/** Thrown if the operator does not allow an address. */
export class AddressRefusedError extends Error {
  override readonly name = 'RefusedAddress';
}

/** Like `dns.lookup`, but fails if any of the addresses is refused. */
function checkedLookup(
  checkAddress: AddressCheck,
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
): void {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    const refusal = addresses
      ?.map(({ address }) => checkAddress(address, hostname))
      .find((candidate) => candidate !== undefined);
    const [first] = addresses ?? [];
    if (error !== null) callback(error, []);
    else if (refusal !== undefined) callback(refusal, []);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  });
}

function privateAddressError(host: string): AddressRefusedError {
  return new AddressRefusedError(`${host} is not a public address: allow its network in --outbound-private-networks`);
}
