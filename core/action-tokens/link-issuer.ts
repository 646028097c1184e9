import type { PluginRight } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { PluginRights } from '../registry/loading/plugin-rights.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';

/** Rights that decide what a link may lead to. */
const RELEVANT: readonly PluginRight[] = ['issue-login-links', 'manage-users', 'manage-admins', 'realm-admin'];
/** Claim of a link whose handler has more rights than its issuer: the name of the issuing plugin. */
export const ISSUED_BY = 'keyhost_issued_by';

/** A plugin that issues a link. */
export interface LinkIssuer {
  readonly plugin: string;
  readonly rights: ReadonlySet<PluginRight>;
}

/** The claim {@link ISSUED_BY}, if the handler has a right that the issuer lacks. */
export function issuerClaim(
  issuer: LinkIssuer | undefined,
  { plugin }: Pick<RegisteredProvider, 'plugin'>,
  { name }: Pick<Realm, 'name'>,
): Readonly<Record<string, string>> {
  if (issuer === undefined || plugin.builtin || plugin.name === issuer.plugin) return {};
  const held = rightsIn(plugin.rights, name);
  const isLess = RELEVANT.some((right) => held.has(right) && !issuer.rights.has(right));
  return isLess ? { [ISSUED_BY]: issuer.plugin } : {};
}

export function rightsIn(rights: PluginRights | undefined, realm: string): LinkIssuer['rights'] {
  return (rights ?? PluginRights.none).in(realm);
}
