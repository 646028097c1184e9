import type { Plugin, PluginNeeds, PluginRight } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import { MASTER_REALM } from '../../model/realm.js';

/**
 * The key for every realm except `master`. Admins of `master` administer all realms, so rights there must be granted by
 * name.
 */
const EVERY_REALM = '*';

/** Rights that are not roles of `realm-management`, because no operation of the Admin REST API requires them. */
export const NON_ROLE_RIGHTS: ReadonlySet<PluginRight> = new Set<PluginRight>([
  'any-token',
  'issue-login-links',
  'mail-any-address',
  'manage-admins',
  'read-typed-password',
  'send-mail',
]);

type Grants = PluginEntry['grants'];

/** The rights of a plugin in each realm: those that it declares as needed, and that the operator grants there. */
export class PluginRights {
  static readonly none = new PluginRights({}, {});
  readonly #byRealm: ReadonlyMap<string, ReadonlySet<PluginRight>>;
  readonly #otherRealms: ReadonlySet<PluginRight>;

  constructor(needs: PluginNeeds, grants: Grants) {
    const everywhereGrants = grants[EVERY_REALM] ?? [];
    const onlyNeeded = (rights: readonly PluginRight[]) =>
      new Set(rights.filter((right) => Object.hasOwn(needs, right)));
    this.#otherRealms = onlyNeeded(everywhereGrants);
    const grantsByRealm = Object.entries({ [MASTER_REALM]: [], ...grants }).filter(([realm]) => realm !== EVERY_REALM);
    this.#byRealm = new Map(
      grantsByRealm.map(([realm, rights]) => [
        realm,
        onlyNeeded(realm === MASTER_REALM ? rights : [...everywhereGrants, ...rights]),
      ]),
    );
  }

  /** True if the plugin has the right in at least one realm. */
  hasAnywhere(right: PluginRight): boolean {
    return this.#otherRealms.has(right) || [...this.#byRealm.values()].some((rights) => rights.has(right));
  }

  forRealm(realm: string): ReadonlySet<PluginRight> {
    return this.#byRealm.get(realm) ?? this.#otherRealms;
  }
}

/**
 * Returns the rights that a plugin's entry in plugins.json grants.
 * @throws BootError `plugin_grants` if the plugin needs a right that is granted in no realm
 */
export function grantedRights({ needs = {} }: Plugin, { module, grants }: PluginEntry): PluginRights {
  const ungrantedRights = missingRights(needs, grants);
  if (ungrantedRights.length === 0) return new PluginRights(needs, grants);
  const description = ungrantedRights.map((right) => `${right} (${needs[right]})`).join(', ');
  throw new BootError('plugin_grants', `${module} requires rights that are not granted: ${description}`, {
    plugin: module,
    hint: `to grant them in every realm except master, add this to its entry in plugins.json: ${grantsLine(needs, grants)}`,
  });
}

/** Returns the needed rights that are granted in no realm. */
export function missingRights(needs: PluginNeeds, grants: Grants): PluginRight[] {
  const granted = new Set(Object.values(grants).flat());
  return rightsOf(needs).filter((right) => !granted.has(right));
}

/** Returns the granted rights that the plugin does not need. They have no effect. */
export function surplusGrants({ needs = {} }: Plugin, { grants }: PluginEntry): PluginRight[] {
  const granted = new Set(Object.values(grants).flat());
  return [...granted].filter((right) => !Object.hasOwn(needs, right));
}

/** Returns the grants with every missing right added, in every realm except `master`. */
export function withMissingRights(needs: PluginNeeds, grants: Grants): Grants {
  return { ...grants, [EVERY_REALM]: [...(grants[EVERY_REALM] ?? []), ...missingRights(needs, grants)] };
}

/** Returns the result of `withMissingRights` as text for an entry in plugins.json. */
export function grantsLine(needs: PluginNeeds, grants: Grants): string {
  return `"grants": ${JSON.stringify(withMissingRights(needs, grants))}`;
}

function rightsOf(needs: PluginNeeds): PluginRight[] {
  return Object.keys(needs) as PluginRight[];
}
