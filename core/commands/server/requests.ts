import { BootError } from '../../config/boot-error.js';
import type { CommandLine } from '../command-line.js';

/**
 * Reads the URL of a server that receives secrets. It must use https, or be on this machine.
 * @throws BootError `options_invalid`
 */
export function readServerUrl(line: CommandLine, givenUrl: string): string {
  const url = URL.canParse(givenUrl) ? new URL(givenUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    return line.usageError(
      `--server: "${givenUrl}" is not the URL of a server`,
      'use a URL such as https://id.example.com',
    );
  }
  if (url.protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) {
    return line.usageError('--server: credentials require https', 'use https, or an address of this machine');
  }
  return url.href.replace(/\/+$/, '');
}

/** The timeout of a request, in milliseconds. */
const ANSWER_MS = 30_000;

/**
 * Sends a request. By default it follows no redirects, which could send credentials to another host.
 * @throws BootError `server_unreachable`, also on a redirect
 */
export async function fetchFrom(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS), ...init }).catch((cause: unknown) => {
    throw new BootError('server_unreachable', `cannot reach ${new URL(url).origin}`, {
      hint: 'start the server, or correct its URL',
      cause,
    });
  });
}

/** The message in the server's error response, in one line. */
export function errorText(answer: Readonly<Record<string, unknown>>, { status }: Response): string {
  const { error_description: description, errorMessage: message, error } = answer;
  // A terminal would execute control characters.
  return String(description ?? message ?? error ?? `status ${status}`).replace(/\p{Cc}/gu, ' ');
}
