import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks for one attempt.
 * @param time the time of the attempt, in milliseconds since the epoch
 * @param secrets one signature is added for each, and a receiver needs only one of the secrets
 */
export function signedHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  time: number,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(time / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
