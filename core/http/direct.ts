import type { IncomingMessage } from 'node:http';

/**
 * Names and addresses of this machine. A page of another site that resolves its name to this machine (DNS rebinding)
 * sends another `Host`.
 */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1])(:\d+)?$/i;
/**
 * Headers that proxies add. With one of them, the connection is the proxy's, and its address says nothing about the
 * sender.
 */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** True for a request that a program on this machine sends without a proxy, to a name of this machine. */
export function isDirect({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (!isLoopback(socket.remoteAddress ?? '') || !LOOPBACK.test(headers.host ?? '')) return false;
  return PROXY_HEADERS.every((name) => headers[name] === undefined);
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** True for a name or address of the loopback interface. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK.test(host) || host === '::1';
}
