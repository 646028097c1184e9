import type { PluginRight } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { PluginRights } from '../registry/loading/plugin-rights.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';

/** Rights that decide what a link may do. */
const LINK_RIGHTS: readonly PluginRight[] = ['issue-login-links', 'manage-users', 'manage-admins', 'realm-admin'];
/**
 * Claim with the name of the plugin that issued the link, if the link's handler has one of these rights and that plugin
 * does not.
 */
export const ISSUED_BY = 'keyhost_issued_by';

/** A plugin that issues a link. */
export interface LinkIssuer {
  readonly plugin: string;
  readonly rights: ReadonlySet<PluginRight>;
}

/**
 * The claim {@link ISSUED_BY}, if a plugin issues a link for another plugin's handler that has one of `LINK_RIGHTS` and
 * the issuer lacks it; else empty.
 */
export function issuerClaim(
  issuer: LinkIssuer | undefined,
  { plugin }: Pick<RegisteredProvider, 'plugin'>,
  { name }: Pick<Realm, 'name'>,
): Readonly<Record<string, string>> {
  if (issuer === undefined || plugin.builtin || plugin.name === issuer.plugin) return {};
  const handlerRights = rightsIn(plugin.rights, name);
  const issuerLacksRight = LINK_RIGHTS.some((right) => handlerRights.has(right) && !issuer.rights.has(right));
  return issuerLacksRight ? { [ISSUED_BY]: issuer.plugin } : {};
}

export function rightsIn(rights: PluginRights | undefined, realm: string): LinkIssuer['rights'] {
  return (rights ?? PluginRights.none).forRealm(realm);
}
