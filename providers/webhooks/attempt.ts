import type { HostError, OutboundAnswer, Session } from '@keyhost/spi';
import type { Failure, Item } from './entries.js';
import { retryAfter } from './schedule.js';
import type { Endpoint } from './settings.js';
import { signedHeaders } from './signature.js';

/** The outcome of one attempt. */
export type Outcome =
  | { readonly end: 'delivered' }
  /** The host stopped during the attempt: delivery is uncertain. */
  | { readonly end: 'broken_off' }
  | {
      readonly end: 'failed' | 'gone';
      readonly failure: Failure;
      /** The pause that the endpoint requested, in milliseconds. */
      readonly pause?: number;
    };

const MAX_ANSWER_BYTES = 2048;

/** Posts a message once. */
export async function attempt(session: Session, endpoint: Endpoint, item: Item): Promise<Outcome> {
  const { outbound, clock, signal } = session;
  const { url, secret, previousSecret, headers, timeout } = endpoint;
  const at = clock.now();
  const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])];
  try {
    const answer = await outbound.request({
      url,
      method: 'POST',
      headers: {
        ...headers,
        ...signedHeaders(item, at, secrets),
        'content-type': 'application/json',
        'user-agent': 'Keyhost-Webhooks',
      },
      body: item.body,
      timeout,
      maxBytes: MAX_ANSWER_BYTES,
    });
    return outcomeOf(answer, at);
  } catch (error) {
    if (signal.aborted) return { end: 'broken_off' };
    const { code, message } = (error ?? {}) as Partial<HostError>;
    return { end: 'failed', failure: { at, reason: `${code ?? 'error'}: ${message ?? String(error)}` } };
  }
}

function outcomeOf({ status, headers, body }: OutboundAnswer, at: number): Outcome {
  if (status >= 200 && status <= 299) return { end: 'delivered' };
  const answer = new TextDecoder().decode(body);
  const failure: Failure = { at, reason: `status ${status}`, status, ...(answer === '' ? {} : { answer }) };
  if (status === 410) return { end: 'gone', failure };
  const pause = retryAfter(headers['retry-after'], at);
  return { end: 'failed', failure, ...(pause === undefined ? {} : { pause }) };
}
