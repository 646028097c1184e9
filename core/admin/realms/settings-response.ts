import { MASK } from '../../model/mask.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import { realmSettings } from '../../realms/built-ins/realm-defaults.js';
import { maskSecrets } from '../text-config.js';

/**
 * A realm's settings as in Keycloak's API.
 * @param canManage true if the caller may change them; for others, secrets in attributes are masked
 */
export function settingsResponse(representation: RealmRepresentation, canManage: boolean): RealmRepresentation {
  const { defaultGroups, sslRequired, ...settings } = realmSettings(representation);
  const smtp = Object.entries(settings.smtpServer as Record<string, unknown>).map(([name, value]) => [
    name,
    isSecretName(name) ? MASK : value,
  ]);
  return {
    ...settings,
    // Realm files may contain it in upper case, like Keycloak's enumeration.
    ...(typeof sslRequired === 'string' ? { sslRequired: sslRequired.toLowerCase() } : {}),
    // As in Keycloak, an empty list is left out.
    ...(Array.isArray(defaultGroups) && defaultGroups.length > 0 ? { defaultGroups } : {}),
    ...(representation.defaultRole === undefined ? { defaultRole: defaultRole(representation) } : {}),
    attributes: canManage ? (settings.attributes ?? {}) : maskSecrets<string>(settings.attributes ?? {}),
    smtpServer: Object.fromEntries(smtp),
  };
}

function defaultRole({ realm, roles }: RealmRepresentation) {
  const name = `default-roles-${realm.toLowerCase()}`;
  const { composites: _, ...role } = roles?.realm?.find((candidate) => candidate.name === name) ?? { name };
  return { ...role, composite: true, clientRole: false };
}
