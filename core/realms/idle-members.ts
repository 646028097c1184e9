import { type IgnoredMember, ineffectiveObjects } from '../config/ignored-members.js';
import type { ProviderSchema } from '../config/realm-file/provider-checks.js';
import { allIgnoredSettings, sentenceOf } from '../config/settings/ignored-settings.js';
import { listPieces, pathInList } from '../model/list-pieces.js';
import type { RealmRepresentation } from '../model/representation.js';
import { unreadConfiguration } from './client-policies/unread-configuration.js';

/** The providers that decide whether a member has an effect. */
export interface MemberProviders {
  readonly providers: readonly ProviderSchema[];
  /** True if an optional plugin was left out. An unknown name may then belong to that plugin. */
  readonly hasLeftOutPlugin?: boolean;
}

/**
 * Returns members of a realm that are stored and have no effect. `realm check` reports them for a file, and the log
 * for each change. The header `Keyhost-Ignored` reports those of a request.
 */
export function idleMembers(
  realm: RealmRepresentation,
  { providers, hasLeftOutPlugin }: MemberProviders,
): IgnoredMember[] {
  return [
    ...allIgnoredSettings(realm),
    ...(hasLeftOutPlugin === true ? [] : ineffectiveObjects(realm, providers)),
    ...unreadConfiguration(realm).map((one) => ({ ...one, sentence: sentenceOf(one) })),
  ];
}

/**
 * Returns the members without effect that a change has added.
 * @param before undefined for a new realm
 */
export function newIdleMembers(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  providers: MemberProviders,
): IgnoredMember[] {
  const ignoredMembers = idleMembers(after, providers);
  if (before === undefined || ignoredMembers.length === 0) return ignoredMembers;
  const knownSentences = new Set(idleMembers(before, providers).map(({ sentence }) => sentence));
  return ignoredMembers.filter(({ sentence }) => !knownSentences.has(sentence));
}

/** Like `newIdleMembers`, and lets other requests run while it reads many users. */
export async function newIdleMembersInPieces(
  before: RealmRepresentation | undefined,
  { users, ...after }: RealmRepresentation,
  providers: MemberProviders,
): Promise<IgnoredMember[]> {
  const ignoredMembers = newIdleMembers(before, after, providers);
  for await (const { first, items } of listPieces(after.realm, users ?? [])) {
    const found = newIdleMembers(before, { realm: after.realm, users: items }, providers);
    ignoredMembers.push(...found.map((one) => ({ ...one, path: pathInList(one.path, 'users', first) })));
  }
  return ignoredMembers;
}
