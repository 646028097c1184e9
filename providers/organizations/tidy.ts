import type { Json, ScheduledOutcome, Session, StoredEntry } from '@keyhost/spi';
import { INVITATIONS, type Invitation } from './invitations.js';
import { Joining } from './joining.js';
import { MEMBERS, Members } from './members.js';
import { NAMES, Organizations } from './organizations.js';

/** The number of entries that one part of the task examines. */
const ENTRIES_PER_PART = 500;
/** The age at which an unfinished operation is considered abandoned, in milliseconds. */
const ABANDONED_AFTER_MS = 60_000;
const STAGES = [MEMBERS, NAMES, INVITATIONS];

/**
 * Removes what is left over: memberships of users or organizations that no longer exist, and unfinished work of a node
 * that stopped.
 * @param from the state that the previous part returned: the last key that it examined
 */
export async function removeLeftovers(session: Session, from: Json | undefined): Promise<ScheduledOutcome | undefined> {
  const after = typeof from === 'string' ? from : MEMBERS;
  const stage = STAGES.findIndex((prefix) => after.startsWith(prefix));
  const prefix = STAGES[stage] ?? MEMBERS;
  const entries = await session.store.list(prefix, { after, max: ENTRIES_PER_PART });
  const tidy = { [MEMBERS]: tidyMember, [NAMES]: tidyName, [INVITATIONS]: tidyInvitation }[prefix];
  for (const entry of entries) await tidy?.(session, entry);
  const last = entries.length === ENTRIES_PER_PART ? entries.at(-1)?.key : STAGES[stage + 1];
  return last === undefined ? undefined : { more: last };
}

async function tidyMember(session: Session, { key }: StoredEntry): Promise<void> {
  const organizations = new Organizations(session);
  const [, organizationId = '', userId = ''] = key.split('/');
  const stillExists = (await session.users.byId(userId)) && (await organizations.byId(organizationId));
  if (!stillExists) await new Members(session, organizations).remove(organizationId, userId);
}

async function tidyName(session: Session, { key }: StoredEntry): Promise<void> {
  await new Organizations(session).releaseUnusedName(key.slice(NAMES.length));
}

async function tidyInvitation(session: Session, { value }: StoredEntry): Promise<void> {
  const invitation = value as Invitation;
  const { takenBy, takenAt = 0, organizationId, inviterId } = invitation;
  const joining = new Joining(session);
  const organization = await new Organizations(session).byId(organizationId);
  if (organization === undefined) await joining.invitations.clear(invitation);
  else if (takenBy !== undefined && session.clock.now() - takenAt > ABANDONED_AFTER_MS) {
    await joining.finish(invitation, { userId: takenBy || inviterId });
  }
}
