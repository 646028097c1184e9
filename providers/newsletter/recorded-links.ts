import type { IssuedActionToken, JsonObject, Session } from '@keyhost/spi';

/** The user, the application and the creator of a link. */
interface LinkRequest {
  readonly userId: string;
  readonly applicationId: string;
  /** The client or the admin that requested it. */
  readonly by: string;
}

const PREFIX = 'minted/';
/**
 * A time in the far future, in milliseconds since the epoch. Keys contain the time until then, so the newest link is
 * the first one.
 */
const END_OF_TIME_MS = 10 ** 14;
const DAY = 86_400;

/**
 * Records that a link was created, without the link itself, for a number of days after its expiry.
 * @returns the recorded expiry, in milliseconds since the epoch
 */
export async function recordLink(
  { store, clock }: Session,
  { userId, applicationId, by }: LinkRequest,
  { id, expiresIn }: IssuedActionToken,
  days: number,
): Promise<{ readonly expiresAt: number }> {
  const mintedAt = clock.now();
  const link = { userId, applicationId, by, mintedAt, expiresAt: mintedAt + expiresIn * 1000 };
  await store.put(`${PREFIX}${END_OF_TIME_MS - mintedAt}/${id}`, link, { expiresIn: expiresIn + days * DAY });
  return link;
}

/** The recorded links, newest first, each with its `id` and `state`. */
export async function recordedLinks(
  { store, clock }: Session,
  { first, max }: { readonly first: number; readonly max: number },
): Promise<{ readonly rows: readonly JsonObject[]; readonly more: boolean }> {
  const entries = await store.list(PREFIX, { first, max: max + 1 });
  const rows = entries.slice(0, max).map(({ key, value }) => {
    const link = value as JsonObject & { readonly expiresAt: number };
    const state = clock.now() < link.expiresAt ? 'valid' : 'expired';
    return { ...link, id: key.slice(key.lastIndexOf('/') + 1), state };
  });
  return { rows, more: entries.length > max };
}
