import type { Plugin, PluginNeeds, PluginRight } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import { MASTER_REALM } from '../../model/realm.js';

/** Stands for every realm but `master`, whose admins administer all of them: that one is named. */
const EVERY_REALM = '*';

/** Rights that are no roles of `realm-management`: what they are for is no operation of the Admin REST API. */
export const RIGHTS_BESIDE_ROLES: ReadonlySet<PluginRight> = new Set<PluginRight>([
  'any-token',
  'issue-login-links',
  'mail-any-address',
  'manage-admins',
  'read-typed-password',
  'send-mail',
]);

type Grants = PluginEntry['grants'];

/** What a plugin may do in each realm: what it needs, as far as the operator grants it there. */
export class PluginRights {
  static readonly none = new PluginRights({}, {});
  readonly #byRealm: ReadonlyMap<string, ReadonlySet<PluginRight>>;
  readonly #elsewhere: ReadonlySet<PluginRight>;

  constructor(needs: PluginNeeds, grants: Grants) {
    const everywhere = grants[EVERY_REALM] ?? [];
    const needed = (rights: readonly PluginRight[]) => new Set(rights.filter((right) => Object.hasOwn(needs, right)));
    this.#elsewhere = needed(everywhere);
    const named = Object.entries({ [MASTER_REALM]: [], ...grants }).filter(([realm]) => realm !== EVERY_REALM);
    this.#byRealm = new Map(
      named.map(([realm, rights]) => [realm, needed(realm === MASTER_REALM ? rights : [...everywhere, ...rights])]),
    );
  }

  /** Whether it holds the right in some realm. */
  hold(right: PluginRight): boolean {
    return this.#elsewhere.has(right) || [...this.#byRealm.values()].some((rights) => rights.has(right));
  }

  in(realm: string): ReadonlySet<PluginRight> {
    return this.#byRealm.get(realm) ?? this.#elsewhere;
  }
}

/**
 * A plugin's rights by its entry in plugins.json.
 * @throws BootError `plugin_grants` where it needs a right that is granted in no realm
 */
export function grantedRights({ needs = {} }: Plugin, { module, grants }: PluginEntry): PluginRights {
  const missing = ungranted(needs, grants);
  if (missing.length === 0) return new PluginRights(needs, grants);
  const told = missing.map((right) => `${right} (${needs[right]})`).join(', ');
  throw new BootError('plugin_grants', `${module} requires rights that are not granted: ${told}`, {
    plugin: module,
    hint: `to grant them in every realm except master, add this to its entry in plugins.json: ${grantsLine(needs, grants)}`,
  });
}

/** The needs that are granted nowhere. */
export function ungranted(needs: PluginNeeds, grants: Grants): PluginRight[] {
  const granted = new Set(Object.values(grants).flat());
  return rightsOf(needs).filter((right) => !granted.has(right));
}

/** The grants that a plugin does not ask for: they give it nothing. */
export function surplusGrants({ needs = {} }: Plugin, { grants }: PluginEntry): PluginRight[] {
  const granted = new Set(Object.values(grants).flat());
  return [...granted].filter((right) => !Object.hasOwn(needs, right));
}

/** The grants with every right that is granted nowhere added, in every realm but `master`. */
export function grantedEverywhere(needs: PluginNeeds, grants: Grants): Grants {
  return { ...grants, [EVERY_REALM]: [...(grants[EVERY_REALM] ?? []), ...ungranted(needs, grants)] };
}

/** `grantedEverywhere` as the member of an entry in plugins.json. */
export function grantsLine(needs: PluginNeeds, grants: Grants): string {
  return `"grants": ${JSON.stringify(grantedEverywhere(needs, grants))}`;
}

function rightsOf(needs: PluginNeeds): PluginRight[] {
  return Object.keys(needs) as PluginRight[];
}
