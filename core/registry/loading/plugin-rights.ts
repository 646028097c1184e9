import type { Plugin, PluginNeeds, PluginRight } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import { MASTER_REALM } from '../../model/realm.js';

/** Every realm except `master`, whose admins administer all realms: `master` must be named. */
const EVERY_REALM = '*';

/** Rights that are not roles of `realm-management`: they do not belong to operations of the Admin REST API. */
export const NON_ROLE_RIGHTS: ReadonlySet<PluginRight> = new Set<PluginRight>([
  'any-token',
  'issue-login-links',
  'mail-any-address',
  'manage-admins',
  'read-typed-password',
  'send-mail',
]);

type Grants = PluginEntry['grants'];

/** The rights of a plugin in each realm: those that it needs and that the operator grants there. */
export class PluginRights {
  static readonly none = new PluginRights({}, {});
  readonly #byRealm: ReadonlyMap<string, ReadonlySet<PluginRight>>;
  readonly #otherRealms: ReadonlySet<PluginRight>;

  constructor(needs: PluginNeeds, grants: Grants) {
    const everywhere = grants[EVERY_REALM] ?? [];
    const needed = (rights: readonly PluginRight[]) => new Set(rights.filter((right) => Object.hasOwn(needs, right)));
    this.#otherRealms = needed(everywhere);
    const named = Object.entries({ [MASTER_REALM]: [], ...grants }).filter(([realm]) => realm !== EVERY_REALM);
    this.#byRealm = new Map(
      named.map(([realm, rights]) => [realm, needed(realm === MASTER_REALM ? rights : [...everywhere, ...rights])]),
    );
  }

  /** True if it has the right in at least one realm. */
  hasAnywhere(right: PluginRight): boolean {
    return this.#otherRealms.has(right) || [...this.#byRealm.values()].some((rights) => rights.has(right));
  }

  in(realm: string): ReadonlySet<PluginRight> {
    return this.#byRealm.get(realm) ?? this.#otherRealms;
  }
}

/**
 * Returns a plugin's rights by its entry in plugins.json.
 * @throws BootError `plugin_grants` if it needs a right that is granted in no realm
 */
export function grantedRights({ needs = {} }: Plugin, { module, grants }: PluginEntry): PluginRights {
  const missing = missingRights(needs, grants);
  if (missing.length === 0) return new PluginRights(needs, grants);
  const told = missing.map((right) => `${right} (${needs[right]})`).join(', ');
  throw new BootError('plugin_grants', `${module} requires rights that are not granted: ${told}`, {
    plugin: module,
    hint: `to grant them in every realm except master, add this to its entry in plugins.json: ${grantsLine(needs, grants)}`,
  });
}

/** The needed rights that are granted in no realm. */
export function missingRights(needs: PluginNeeds, grants: Grants): PluginRight[] {
  const granted = new Set(Object.values(grants).flat());
  return rightsOf(needs).filter((right) => !granted.has(right));
}

/** The granted rights that the plugin does not need: they have no effect. */
export function surplusGrants({ needs = {} }: Plugin, { grants }: PluginEntry): PluginRight[] {
  const granted = new Set(Object.values(grants).flat());
  return [...granted].filter((right) => !Object.hasOwn(needs, right));
}

/** Returns the grants with every missing right added, in every realm except `master`. */
export function grantedEverywhere(needs: PluginNeeds, grants: Grants): Grants {
  return { ...grants, [EVERY_REALM]: [...(grants[EVERY_REALM] ?? []), ...missingRights(needs, grants)] };
}

/** `grantedEverywhere` as the member of an entry in plugins.json. */
export function grantsLine(needs: PluginNeeds, grants: Grants): string {
  return `"grants": ${JSON.stringify(grantedEverywhere(needs, grants))}`;
}

function rightsOf(needs: PluginNeeds): PluginRight[] {
  return Object.keys(needs) as PluginRight[];
}
