import { BootError } from '../../config/boot-error.js';
import type { ManagementAccess } from '../../host/management-access.js';
import { errorText, fetchFrom } from './requests.js';

/**
 * Sends a request to a running host with the secret from its data directory, which only the owner can read.
 * @param refusalError creates the error for a refusal
 * @throws BootError
 */
export async function askOwner(
  { url, secret }: ManagementAccess,
  method: 'GET' | 'POST',
  path: string,
  query: Readonly<Record<string, string>> = {},
  refusalError: (why: string) => BootError = (why) => new BootError('server_refused', `the server refuses: ${why}`),
): Promise<unknown> {
  const response = await fetchFrom(`${url}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
  });
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw refusalError(errorText(body as Readonly<Record<string, unknown>>, response));
  return body;
}
