import { hash } from 'node:crypto';
import { randomToken } from '../../model/random-token.js';
import type { Account, AccountParts } from '../account.js';

const KIND = 'account-draft';
/** How long a form waits for its user's login, in milliseconds. */
const LIFESPAN_MS = 900_000;

/** What a form had in it, by the names of the fields. */
export type Draft = Readonly<Record<string, string>>;

/** Keeps what a user has typed while they sign in again. @returns the name that it is found by */
export async function keepDraft({ store, clock }: AccountParts, account: Account, draft: Draft): Promise<string> {
  const id = randomToken(18);
  await store.tickets.issue({
    ...place(account, id),
    payload: JSON.stringify(draft),
    expiresAt: clock.now() + LIFESPAN_MS,
  });
  return id;
}

/** Of the same user alone. */
export async function readDraft(
  { store, clock }: AccountParts,
  account: Account,
  id: string,
): Promise<Draft | undefined> {
  const payload = await store.tickets.get({ ...place(account, id), now: clock.now() });
  return payload === undefined ? undefined : (JSON.parse(payload) as Draft);
}

function place({ exchange: { realm }, user }: Account, id: string) {
  return { realm: realm.name, kind: KIND, keyHash: hash('sha256', `${user.id} ${id}`, 'base64url') };
}
