import { hash } from 'node:crypto';
import { randomToken } from '../../model/random-token.js';
import type { AccountContext, AccountParts } from '../account.js';

const KIND = 'account-draft';
/** How long a form is stored while its user signs in again, in milliseconds. */
const LIFESPAN_MS = 900_000;

/** The values of a form by field name. */
export type Draft = Readonly<Record<string, string>>;

/**
 * Stores the user's input while they sign in again.
 * @returns its ID
 */
export async function storeDraft(
  { store, clock }: AccountParts,
  account: AccountContext,
  draft: Draft,
): Promise<string> {
  const id = randomToken(18);
  await store.tickets.issue({
    ...draftKey(account, id),
    payload: JSON.stringify(draft),
    expiresAt: clock.now() + LIFESPAN_MS,
  });
  return id;
}

/** Reads a draft; undefined if it has expired or is another user's. */
export async function readDraft(
  { store, clock }: AccountParts,
  account: AccountContext,
  id: string,
): Promise<Draft | undefined> {
  const payload = await store.tickets.get({ ...draftKey(account, id), now: clock.now() });
  return payload === undefined ? undefined : (JSON.parse(payload) as Draft);
}

function draftKey({ exchange: { realm }, user }: AccountContext, id: string) {
  return { realm: realm.name, kind: KIND, keyHash: hash('sha256', `${user.id} ${id}`, 'base64url') };
}
