import { type IgnoredMember, ineffectiveObjects } from '../config/ignored-members.js';
import type { ProviderSchema } from '../config/realm-file/provider-checks.js';
import { allIgnoredSettings, sentenceOf } from '../config/settings/ignored-settings.js';
import type { RealmRepresentation } from '../model/representation.js';
import { unreadConfiguration } from './client-policies/unread-configuration.js';

/** Providers by which a member has an effect. */
export interface HavingProviders {
  readonly providers: readonly ProviderSchema[];
  /** True if a plugin that is not required was left out: a thing that is unknown now may be one of that plugin. */
  readonly someLeftOut?: boolean;
}

/**
 * Members of a realm that are stored and have no effect. `realm check` reports them for a file, the log for each
 * change, and the header `Keyhost-Ignored` for the request that sent them.
 */
export function idleMembers(realm: RealmRepresentation, { providers, someLeftOut }: HavingProviders): IgnoredMember[] {
  return [
    ...allIgnoredSettings(realm),
    ...(someLeftOut === true ? [] : ineffectiveObjects(realm, providers)),
    ...unreadConfiguration(realm).map((one) => ({ ...one, sentence: sentenceOf(one) })),
  ];
}

/** Those that a change has added. @param before undefined for a new realm */
export function newIdleMembers(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  having: HavingProviders,
): IgnoredMember[] {
  const found = idleMembers(after, having);
  if (before === undefined || found.length === 0) return found;
  const known = new Set(idleMembers(before, having).map(({ sentence }) => sentence));
  return found.filter(({ sentence }) => !known.has(sentence));
}
